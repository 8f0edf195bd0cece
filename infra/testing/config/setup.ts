// Loaded into the process of each test worker, before its tests.
import './cheap-passwords.ts';
import './tsx-modules.ts';
import fc from 'fast-check';

/** Every run draws the same, so that a change is judged by the same draws as the one before. */
const SEED = 1;

/** `npm run fuzz` names another seed, and `random` stands for a new one in each property. */
const { SVC_TEST_SEED: seed = SEED } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
