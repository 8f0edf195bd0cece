// Reads: look-ups. Writes: the dead-letters topic.
import { digestOf } from '../../schemas/base/digest.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import type { TopicName } from '../../topics/catalogue.ts';
import type { DigestIndex, IndexEntry, IndexKey } from '../../topics/ports/digest-index.ts';
import { EngineUnavailableError, LostRecordsError } from '../../topics/ports/failures.ts';
import type { LogRecord, PartitionHandler, Subscription } from '../../topics/ports/log.ts';
import { reasonOf, sendDeadLetter } from './dead-letters.ts';
import type { ProcessorDependencies } from './dependencies.ts';

/** Time for which an operator's permission holds. A partition that halts at the record later halts again. */
export const PASSING_OVER_MS = HOUR_MS;

/** One record as one group meets it. */
export interface PassedRecord {
  readonly group: string;
  readonly topic: TopicName;
  readonly generation: number;
  readonly partition: number;
  readonly offset: number;
}

/** The look-up that lets a group pass over a record at which it halts. `by` names the operator or a ticket. */
export function passingOver(record: PassedRecord, by: string, now: number): IndexEntry {
  return { ...keyOf(record), target: { by }, version: now, expiresAt: now + PASSING_OVER_MS };
}

function keyOf({ group, topic, generation, partition, offset }: PassedRecord): IndexKey {
  return { kind: 'passed-record', digest: digestOf([group, topic, generation, partition, offset]) };
}

type Engines = Pick<
  ProcessorDependencies,
  'log' | 'digestIndex' | 'clock' | 'entropy' | 'replies' | 'logger' | 'meter'
>;

/**
 * The same subscription, which an operator can lead past a single record that it cannot handle: the record goes to the dead
 * letters, with the operator's name and the reason. Lost records are no such case.
 */
export function passable(subscription: Subscription, engines: Engines): Subscription {
  const halted = new Map<number, number>();
  return {
    ...subscription,
    open: (assignment) => withPassing(subscription.open(assignment), subscription.group, engines, halted),
  };
}

/** @param halted the offset by partition at which this group was last told to halt. */
function withPassing(
  handler: PartitionHandler,
  group: string,
  engines: Engines,
  halted: Map<number, number>,
): PartitionHandler {
  return {
    async handle(records) {
      try {
        return await handler.handle(records);
      } catch (error) {
        const [record] = records;
        if (record === undefined || records.length > 1 || isNoCase(error)) throw error;
        const place = placeOf(record, group);
        const by = await passedBy(engines.digestIndex, place);
        if (by === null) {
          if (halted.get(record.partition) !== record.offset)
            engines.logger.error({ ...place, err: error }, 'RecordHaltsPartition');
          halted.set(record.partition, record.offset);
          throw error;
        }
        await sendDeadLetter(engines, record, { group, reason: `passed over by ${by}: ${reasonOf(error)}` });
        engines.logger.warn({ ...place, by }, 'RecordPassedOver');
        return { nextOffset: record.offset + 1, pauseMs: 0 };
      }
    },
    idle: () => handler.idle(),
    close: () => handler.close(),
  };
}

function isNoCase(error: unknown): boolean {
  return error instanceof LostRecordsError || error instanceof EngineUnavailableError;
}

function placeOf({ topic, generation, partition, offset }: LogRecord, group: string): PassedRecord {
  return { group, topic, generation, partition, offset };
}

/** The operator who lets a record be passed over; null if there is none, or if the store cannot be read now. */
async function passedBy(digestIndex: DigestIndex, record: PassedRecord): Promise<string | null> {
  try {
    const target = await digestIndex.get(keyOf(record));
    return target === null ? null : String(target['by']);
  } catch (error) {
    if (error instanceof EngineUnavailableError) return null;
    throw error;
  }
}
