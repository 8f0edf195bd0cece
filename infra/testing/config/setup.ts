// Loaded into the process of each test worker, before its tests.
import './cheap-passwords.ts';
import './tsx-modules.ts';
import fc from 'fast-check';

/** The seed of `npm run fuzz`; otherwise each run draws from another one. */
const SEED = process.env['SVC_TEST_SEED'];
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
