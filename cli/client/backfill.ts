import type { SvcError } from './error.ts';
import type { Events, Milestone, NotYet, RecordOutcome, Refused } from './events.ts';
import { wholeNumber } from './options.ts';

/** A milestone of an existing user: its key has to be the same whenever it is sent. */
export interface PastMilestone extends Milestone {
  readonly idempotencyKey: string;
}

/** The state of a backfill. All milestones up to `last` have their outcome, and none behind it counts. */
export interface BackfillProgress<Past> {
  /** Milestones that are accepted, those of an earlier run included. */
  readonly accepted: number;
  /** Milestones that are never accepted unchanged. */
  readonly refused: number;
  /** The last of them, as it was passed: its members say where a later run begins. Null before the first. */
  readonly last: Past | null;
}

export interface BackfillOptions<Past> {
  /** Called as milestones get their outcomes, and awaited: keep `last` here so that a later run can continue behind it. */
  readonly onProgress?: (progress: BackfillProgress<Past>) => void | Promise<void>;
  /** Called, and awaited, for each milestone that is never accepted unchanged. */
  readonly onRefused?: (milestone: Past, error: SvcError) => void | Promise<void>;
  /** The number of milestones in memory, 1,000 by default. */
  readonly heldMax?: number;
}

/** The end of a backfill. */
export interface Backfilled<Past> extends BackfillProgress<Past> {
  /** The outcome of the milestone behind `last`, if it may be accepted later: the backfill has stopped there. Else null. */
  readonly stoppedBy: NotYet | null;
}

const HELD_MAX = 1_000;
/** Milestones between two reports of the progress. */
const REPORT_EVERY = 500;

/**
 * Records the milestones of existing users in batches, which may overtake each other in an outage. Stops at the first one that is not accepted before the
 * deadline of the recorder. Rejects with what the iterable or a function of the options throws.
 *
 * @param recorder made by `events` for this alone, with a queue of at least `heldMax`
 */
export async function recordAll<Past extends PastMilestone>(
  { record }: Pick<Events, 'record'>,
  milestones: Iterable<Past> | AsyncIterable<Past>,
  { onProgress, onRefused, heldMax = HELD_MAX }: BackfillOptions<Past> = {},
): Promise<Backfilled<Past>> {
  wholeNumber('heldMax', heldMax);
  const held: [Past, Promise<RecordOutcome>][] = [];
  let progress: BackfillProgress<Past> = { accepted: 0, refused: 0, last: null };

  /** Takes the outcome of the oldest one. Returns it if the backfill stops there. */
  async function settle(): Promise<NotYet | null> {
    const [milestone, recording] = held[0] as (typeof held)[0];
    const result = await recording;
    if (result.outcome === 'not_yet') return result;
    held.shift();
    const { accepted, refused } = progress;
    const isRefused = result.outcome === 'refused';
    if (isRefused) await onRefused?.(milestone, (result as Refused).error);
    progress = {
      accepted: accepted + Number(!isRefused),
      refused: refused + Number(isRefused),
      last: milestone,
    };
    if ((accepted + refused + 1) % REPORT_EVERY === 0) await onProgress?.(progress);
    return null;
  }

  let stoppedBy: NotYet | null = null;
  for await (const milestone of milestones) {
    held.push([milestone, record(milestone)]);
    if (held.length >= heldMax) stoppedBy = await settle();
    if (stoppedBy !== null) break;
  }
  while (stoppedBy === null && held.length > 0) stoppedBy = await settle();
  // Milestones behind the one that stopped it may be under way: their outcomes do not count, and their keys make them harmless.
  await Promise.all(held.map(([, recording]) => recording));
  await onProgress?.(progress);
  return { ...progress, stoppedBy };
}
