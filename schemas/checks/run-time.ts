import { SECOND_MS } from '../base/time.ts';

/** A new profile in a browser that runs. */
const PROFILE_MS = 10 * SECOND_MS;
/** A page is opened and closed, and its picture is taken. */
const PAGE_MS = 8 * SECOND_MS;
/** The profile is removed, and the result reported. */
const END_MS = 10 * SECOND_MS;

/** The most time, in milliseconds, that a run takes beside that of its flows: a browser that takes longer hangs. */
export function runOverheadMs(flows: number): number {
  return PROFILE_MS + flows * PAGE_MS + END_MS;
}
