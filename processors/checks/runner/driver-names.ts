// Reads: the identity of this machine, and which of its processes run.
import { hash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isRunning, startOf } from './processes.ts';

/** A driver is named by three parts of this length: its machine, its process, and random bytes. */
const PART_BYTES = 5;
const PART_CHARACTERS = 8;
/** The number of a process, and a digest of the time of its start: a number is given out again. */
const PID_BYTES = 3;
const START_BYTES = 2;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** The process that drives a run. */
export interface DriverProcess {
  readonly machine: string;
  readonly pid: number;
}

/** This process. Two containers may share a host name, and even a kernel, but no set of process numbers. */
export function thisProcess(): DriverProcess {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const numbers = read(() => readlinkSync('/proc/self/ns/pid'));
  return { machine: [hostname(), boot, numbers].join(), pid: process.pid };
}

/** The bytes of a driver's name that are random. */
export const DRIVER_RANDOM_BYTES = PART_BYTES;

/** Names an attempt to drive a run: 24 characters that say which process makes it. */
export function nameDriver({ machine, pid }: DriverProcess, random: Uint8Array): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.set(digestOf(machine, PART_BYTES));
  bytes.set(partOfProcess(pid), PART_BYTES);
  bytes.set(random.subarray(0, PART_BYTES), 2 * PART_BYTES);
  return nameOf(bytes);
}

/**
 * True if the process of a driver is known to have ended, or to have dropped the run: it ran on this machine. False for a driver
 * of another machine, which may still drive.
 *
 * @param isUnderWay tells if this process drives for that name just now
 */
export function hasEnded(
  driver: string,
  isUnderWay: (driver: string) => boolean,
  { machine, pid }: DriverProcess = thisProcess(),
): boolean {
  const driverPid = pidOf(driver);
  // The name that this process would give to an attempt of that process, if it runs.
  const known = nameDriver({ machine, pid: driverPid }, Buffer.alloc(PART_BYTES));
  if (!isSamePart(driver, known, 0)) return false;
  const isSameProcess = isRunning(driverPid) && isSamePart(driver, known, 1);
  return isSameProcess ? driverPid === pid && !isUnderWay(driver) : true;
}

function isSamePart(left: string, right: string, part: number): boolean {
  const range = [part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS] as const;
  return left.slice(...range) === right.slice(...range);
}

function partOfProcess(pid: number): Buffer {
  const part = Buffer.alloc(PART_BYTES);
  part.writeUIntBE(pid, 0, PID_BYTES);
  part.set(digestOf(startOf(pid) ?? '', START_BYTES), PID_BYTES);
  return part;
}

function pidOf(driver: string): number {
  const digits = [...driver.slice(PART_CHARACTERS, 2 * PART_CHARACTERS)];
  const part = digits.reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0);
  return Math.floor(part / 2 ** (8 * START_BYTES));
}

function nameOf(bytes: Buffer): string {
  return idFrom('run', bytes).slice('run_'.length);
}

function digestOf(text: string, length: number): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, length);
}

/** Empty on systems without the file. */
function read(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}
