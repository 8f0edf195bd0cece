import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrorType } from './error-type.ts';

/** The time within which all brokers must know a new topic, and the pause between two requests. */
const SPREAD_TIMEOUT_MS = 5_000;
const SPREAD_PAUSE_MS = 50;

/** Errors of a broker that does not know a topic yet, or knows no leader of its partitions yet. */
const NOT_YET = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION'];

/** Retries a request until every broker knows a topic that was just created. */
export async function retryUntilVisible<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const deadline = performance.now() + SPREAD_TIMEOUT_MS; ; await sleep(SPREAD_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!hasErrorType(error, NOT_YET) || performance.now() > deadline) throw error;
    }
  }
}
