import { randomBytes } from 'node:crypto';
import { ID_BYTES, idFrom } from '../../../../schemas/base/ids.ts';
import type { NewRecord } from '../../../../topics/ports/log.ts';
import { type EventInput, TOPIC } from './fold.ts';
import { awaitedRecord } from './records.ts';
import { turnOf } from './turns.ts';

/** Ids of aggregates that no other run has. */
export function newAggregates(count: number): string[] {
  return Array.from({ length: count }, () => idFrom('installation', randomBytes(ID_BYTES)));
}

/** The n-th event of an aggregate (from 0). */
export function eventAt(n: number): EventInput {
  const { subject, event } = turnOf(n);
  return { subject: `user-${String(subject).padStart(9, '0')}`, event: `step-${event}` };
}

/** The record that a gateway appends for the n-th event of an aggregate. */
export function recordAt(aggregate: string, n: number): NewRecord {
  const input = eventAt(n);
  return awaitedRecord({
    topic: TOPIC,
    aggregate,
    type: 'event',
    operation: 'report-event',
    key: `${aggregate.slice(-6)}-${n}-${input.event}`,
    digestInput: { path: {}, body: input },
    actor: { kind: 'agent', id: aggregate },
    input,
  });
}
