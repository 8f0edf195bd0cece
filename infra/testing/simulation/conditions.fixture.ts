import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { ReplyFaults } from './model-engines.fixture.ts';
import {
  ENGINE_NAMES,
  type EngineName,
  FAULTS,
  type Fault,
  type NetworkConditions,
} from './network.fixture.ts';
import type { Random } from './random.fixture.ts';

/** The fault of a machine, an engine or a clock at one moment. */
export const TROUBLES = [
  'processor-crashes',
  'processor-stands-still',
  'processor-joins',
  'partitions-move',
  'gateway-crashes',
  'engine-goes-down',
  'replica-is-lost',
  'replies-go-down',
  'log-clock-jumps',
  'processor-clock-jumps',
  'clocks-step',
  'topic-grows',
  'retention-ends',
  'row-gets-unreadable',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface TroubleAt {
  readonly trouble: Trouble;
  readonly atMs: number;
}

/** Under what conditions one run happens. */
export interface Conditions {
  readonly network: NetworkConditions;
  readonly replies: ReplyFaults;
  readonly troubles: readonly TroubleAt[];
}

/** The faults of a run that is dedicated to them. */
export interface Emphasis {
  /** Some kinds of trouble, over and over. */
  readonly trouble?: Trouble | readonly Trouble[];
  /** The chance that the request of a call to the store is lost. */
  readonly commitsLost?: number;
  /** The chance that the request of an append is lost. */
  readonly appendsLost?: number;
  /** The chance that an append goes unanswered and takes place later. */
  readonly appendsLate?: number;
}

/** For how long there is trouble; then everything heals. */
export const TROUBLED_MS = 12 * SECOND_MS;

const TROUBLES_MAX = 12;
/** The chance of a run with a single kind of trouble, over and over. */
const FOCUSED = 0.3;
const RATES = [0, 0, 0.02, 0.1] as const;

/**
 * Draws the conditions of a run. Most runs have only some kinds of faults: with all of them at once, hardly anything would
 * come far enough to go wrong in an interesting way.
 *
 * @param emphasis what goes wrong instead, and nothing else does.
 */
export function drawConditions(random: Random, emphasis?: Emphasis): Conditions {
  const rate = (): number => random.pick(RATES);
  if (emphasis !== undefined) return emphasised(random, emphasis);
  const kinds = random.chance(FOCUSED) ? [random.pick(TROUBLES)] : TROUBLES.filter(() => random.chance(0.5));
  return {
    network: { faults: drawFaults(rate), slow: rate() / 2 },
    replies: { lost: rate() * 3, doubled: rate(), late: rate() * 3 },
    troubles: drawTroubles(random, kinds),
  };
}

function drawTroubles(random: Random, kinds: readonly Trouble[]): readonly TroubleAt[] {
  const count = kinds.length === 0 ? 0 : random.between(0, TROUBLES_MAX);
  return Array.from({ length: count }, () => ({
    trouble: random.pick(kinds),
    atMs: random.between(0, TROUBLED_MS),
  }));
}

function emphasised(random: Random, emphasis: Emphasis): Conditions {
  const { trouble, commitsLost = 0, appendsLost = 0, appendsLate = 0 } = emphasis;
  const faults = drawFaults(() => 0);
  const store = { ...faults.store, 'lost-request': commitsLost };
  const log = { ...faults.log, 'lost-request': appendsLost, late: appendsLate };
  return {
    network: { faults: { ...faults, store, log }, slow: 0 },
    replies: { lost: 0, doubled: 0, late: 0 },
    troubles: drawTroubles(random, [trouble ?? []].flat()),
  };
}

function drawFaults(rate: () => number): NetworkConditions['faults'] {
  const rates = (): Record<Fault, number> =>
    Object.fromEntries(FAULTS.map((fault) => [fault, rate()])) as Record<Fault, number>;
  return Object.fromEntries(ENGINE_NAMES.map((engine) => [engine, rates()])) as Record<
    EngineName,
    Record<Fault, number>
  >;
}
