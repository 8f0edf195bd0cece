// Reads: the name of this machine, and which of its processes run.
import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { isRunning } from './processes.ts';

/** A driver is named by three parts of this length: its machine, its process, and random bytes. */
const PART_BYTES = 5;
const PART_CHARACTERS = 8;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** The process that drives a run. */
export interface DriverProcess {
  readonly machine: string;
  readonly pid: number;
}

/** This process. */
export function thisProcess(): DriverProcess {
  return { machine: hostname(), pid: process.pid };
}

/** The bytes of a driver's name that are random. */
export const DRIVER_RANDOM_BYTES = PART_BYTES;

/** Names an attempt to drive a run: 24 characters that say which process makes it. */
export function nameDriver({ machine, pid }: DriverProcess, random: Uint8Array): string {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.set(digestOfMachine(machine));
  bytes.writeUIntBE(pid, PART_BYTES, PART_BYTES);
  bytes.set(random.subarray(0, PART_BYTES), 2 * PART_BYTES);
  return idFrom('run', bytes).slice('run_'.length);
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
  const ofMachine = nameDriver({ machine, pid: 0 }, Buffer.alloc(PART_BYTES)).slice(0, PART_CHARACTERS);
  if (!driver.startsWith(ofMachine)) return false;
  const digits = [...driver.slice(PART_CHARACTERS, 2 * PART_CHARACTERS)];
  const driverPid = digits.reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0);
  return driverPid === pid ? !isUnderWay(driver) : !isRunning(driverPid);
}

function digestOfMachine(machine: string): Buffer {
  return hash('sha256', machine, 'buffer').subarray(0, PART_BYTES);
}
