// Loaded before the service (`node --import`) by a test that steps its clock: the time of day is off by the milliseconds
// that a file holds. The process says on its standard error what it has read.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const POLL_INTERVAL_MS = 20;

const file = process.env['STEPPED_CLOCK_FILE'];
if (file === undefined)
  throw new Error('STEPPED_CLOCK_FILE: the file that holds the milliseconds is not named');
const realNow = Date.now;
let offsetMs = 0;
let seen = '';

function look(path: string): void {
  const text = readFileSync(path, 'utf8');
  // A file that is just being written is empty for a moment.
  if (text === seen || text === '') return;
  seen = text;
  offsetMs = Number(text);
  if (isMainThread) process.stderr.write(`clock is off by ${offsetMs} ms\n`);
}

look(file);
Date.now = () => realNow() + offsetMs;
setInterval(() => look(file), POLL_INTERVAL_MS).unref();
