import { seeded } from '../seeded.fixture.ts';

/** Everything that is done to a running service. */
export const FAULTS = [
  'kill a processor',
  'kill a gateway',
  'kill a worker',
  'kill Kafka',
  'kill Cassandra',
  'kill Redis',
  'restart Kafka',
  'restart Cassandra',
  'restart Redis before it publishes',
  'freeze a processor beyond its session',
  'slow connections',
  'black hole to Kafka',
  'black hole to Cassandra',
  'black hole to Redis',
  'dead connections',
  'grow a topic',
] as const;

export type FaultName = (typeof FAULTS)[number];

/** One fault of a run. Equal plans do the same at the same points of a run; what the load does meanwhile differs. */
export interface PlannedFault {
  readonly fault: FaultName;
  /** Milliseconds of undisturbed load before it. */
  readonly afterMs: number;
  /** Drawn for the fault's own choices: which process, how long. From 0 to below 1. */
  readonly draws: readonly [number, number];
}

const LOAD_MS = { min: 500, max: 2_500 } as const;

/** Draws rounds of faults, each of them once a round. The same seed draws the same ones. */
export function planFaults(
  seed: number,
  rounds: number,
  kinds: readonly FaultName[],
): readonly PlannedFault[] {
  const random = seeded(seed);
  return Array.from({ length: rounds }, () => shuffled(kinds, random)).flatMap((round) =>
    round.map((fault) => ({
      fault,
      afterMs: Math.round(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min)),
      draws: [random(), random()],
    })),
  );
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
