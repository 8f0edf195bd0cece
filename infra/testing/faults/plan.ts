import { seeded } from '../seeded.fixture.ts';

/** Everything that is done to a running service, by its engine. */
export const FAULTS = {
  cluster: [
    'kill a processor',
    'kill a gateway',
    'kill a worker',
    'kill Kafka',
    'kill Cassandra',
    'kill Redis',
    'restart Kafka',
    'restart Cassandra',
    'restart Redis before it publishes',
    'restart every process in turn',
    'stop a gateway for a while',
    'stop a processor beyond its session',
    'stop Kafka for a while',
    'stop Cassandra for a while',
    'stop Redis for a while',
    'stall Kafka and Cassandra again and again',
    'slow connections',
    'cut connections',
    'dead connections',
    'black hole to Kafka',
    'black hole to Cassandra',
    'black hole to Redis',
    'set the clock of a process',
    'grow a topic',
  ],
  embedded: [
    'kill the service',
    'restart the service',
    'stop the service for a while',
    'slow connections',
    'cut connections',
    'black hole to the service',
    'slow disk',
    'full disk',
    'failing disk',
    'locked database',
    'set the clock',
  ],
} as const;

export type FaultEngine = keyof typeof FAULTS;
export type ClusterFault = (typeof FAULTS)['cluster'][number];
export type EmbeddedFault = (typeof FAULTS)['embedded'][number];
export type FaultName = ClusterFault | EmbeddedFault;

/**
 * Tells what the limiter may forget by a fault (infra/docs/durability.md). The embedded engine may lose Idempotency-Keys with each
 * end of the process, and by a step of the clock. Redis may lose its memory with its end, and then windows start again.
 */
export const FORGETS: Readonly<Record<FaultEngine, (fault: FaultName) => 'keys' | 'all' | null>> = {
  cluster: (fault) => (/^(kill|restart) Redis/.test(fault) ? 'all' : null),
  embedded: () => 'keys',
};

/** One fault of a run. Equal plans do the same at the same points of a run; what the load does meanwhile differs. */
export interface PlannedFault<Name extends FaultName = FaultName> {
  readonly fault: Name;
  /** Milliseconds of undisturbed load before it. */
  readonly afterMs: number;
  /** Drawn for the fault's own choices: which process, how long. From 0 to below 1. */
  readonly draws: readonly [number, number];
}

const LOAD_MS = { min: 500, max: 2_500 } as const;

/** Draws rounds of faults, each of them once a round. The same seed draws the same ones. */
export function planFaults<Name extends FaultName>(
  seed: number,
  rounds: number,
  kinds: readonly Name[],
): readonly PlannedFault<Name>[] {
  const random = seeded(seed);
  return Array.from({ length: rounds }, () => shuffled(kinds, random)).flatMap((round) =>
    round.map((fault) => ({
      fault,
      afterMs: Math.round(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min)),
      draws: [random(), random()],
    })),
  );
}

/** A range of durations or counts. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Returns the whole number at a draw of a range. */
export function between({ min, max }: Range, draw: number): number {
  return Math.round(min + draw * (max - min));
}

/** Returns the item at a draw. */
export function pick<Item>(items: readonly Item[], draw: number): Item {
  const picked = items[Math.floor(draw * items.length)];
  if (picked === undefined) throw new Error('picking one of no items');
  return picked;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
