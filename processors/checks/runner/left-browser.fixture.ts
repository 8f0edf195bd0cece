// A program for a test: starts a browser, writes the id of its process, and does not end.
import { RunningBrowser } from './browser.ts';
import { RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram } from './program.ts';

const found = findProgram(RUNNER_SETTINGS);
if ('missing' in found) throw new Error(found.missing);
const { pid } = await RunningBrowser.launch(found.program);
process.stdout.write(`${pid}\n`);
process.stdin.resume();
