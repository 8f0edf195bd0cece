// A program for a test: starts a browser in its room, writes the id of the room's process, and does not end.
import { BrowserRoom } from './browser-room.ts';
import { RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram } from './program.ts';

const found = findProgram(RUNNER_SETTINGS);
if ('missing' in found) throw new Error(found.missing);
const { pid } = await BrowserRoom.open(found.program);
process.stdout.write(`${pid}\n`);
process.stdin.resume();
