// Loaded into the service before its own code: its clock stands behind by the milliseconds in the file that SHOTS_CLOCK_FILE
// names. The file is read again and again, so that a seed lives through weeks in seconds. A file beside it says what was read.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** A change of the file counts after this long at the latest. */
const READ_EACH_MS = 10;

const file = process.env['SHOTS_CLOCK_FILE'];
if (file === undefined) throw new Error('SHOTS_CLOCK_FILE names no file');

const SystemDate = Date;
const systemNow = Date.now;
let behindMs = 0;

function read(path: string): void {
  const next = Number(readFileSync(path, 'utf8'));
  if (next === behindMs) return;
  behindMs = next;
  if (isMainThread) writeFileSync(`${path}.read`, String(next));
}

read(file);
setInterval(read, READ_EACH_MS, file).unref();

/** The system's date, of which the present is earlier. */
class DateBehind extends SystemDate {
  constructor(...parts: [] | ConstructorParameters<DateConstructor>) {
    if (parts.length === 0) super(DateBehind.now());
    else super(...parts);
  }

  static override now(): number {
    return systemNow() - behindMs;
  }
}

globalThis.Date = DateBehind as DateConstructor;
