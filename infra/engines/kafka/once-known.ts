import { setTimeout as sleep } from 'node:timers/promises';

/** How long all brokers may take to hear of a topic, and the pause between two questions. */
const SPREAD_TIMEOUT_MS = 5_000;
const SPREAD_PAUSE_MS = 50;

/** What a broker says of a topic that it has not heard of yet, or whose partitions have no leader yet. */
const NOT_YET: readonly unknown[] = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
];

/** Asks again until a topic that was made just now is known everywhere. */
export async function onceKnown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const deadline = performance.now() + SPREAD_TIMEOUT_MS; ; await sleep(SPREAD_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      const type = error instanceof Error && 'type' in error ? error.type : null;
      if (!NOT_YET.includes(type) || performance.now() > deadline) throw error;
    }
  }
}
