import { randomBytes } from 'node:crypto';
import type { Envelope } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { idFrom, requestIdFrom } from '../../../schemas/base/ids.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';
import { type EventInput, TOPIC } from './fold.ts';

/** Events that a subject has in all: as many as the steps of a short checklist. */
const EVENTS_A_SUBJECT = 5;

/** Between two events of one subject lie those of so many others, so that they seldom share a batch. */
const SUBJECTS_AT_ONCE = 1_000;

const ID_BYTES = 18;

/** How long the gateway of a recorded command would have waited. */
const DEADLINE_MS = 10_000;

/** Ids of aggregates that no other run has. */
export function newAggregates(count: number): string[] {
  return Array.from({ length: count }, () => idFrom('installation', randomBytes(ID_BYTES)));
}

/** The n-th event of an aggregate (from 0): subjects take turns, and each has five. */
export function eventAt(n: number): EventInput {
  const round = Math.floor(n / (SUBJECTS_AT_ONCE * EVENTS_A_SUBJECT));
  const subject = round * SUBJECTS_AT_ONCE + (n % SUBJECTS_AT_ONCE);
  const event = Math.floor(n / SUBJECTS_AT_ONCE) % EVENTS_A_SUBJECT;
  return { subject: `user-${String(subject).padStart(9, '0')}`, event: `step-${event}` };
}

/** The record that a gateway appends for the n-th event of an aggregate; its waiter listens at `replyTo`. */
export function recordAt(aggregate: string, n: number, replyTo: string | null): NewRecord {
  const input = eventAt(n);
  const now = Date.now();
  const envelope: Envelope = {
    envelope: 1,
    type: 'event',
    operation: 'report-event',
    key: `${aggregate.slice(-6)}-${n}-${input.event}`,
    keyFrom: 'client',
    inputDigest: digestOf({ path: {}, body: input }),
    requestId: requestIdFrom(randomBytes(ID_BYTES)),
    replyTo,
    notAfter: now + DEADLINE_MS,
    issuedAt: now,
    actor: { kind: 'agent', id: aggregate },
    input,
  };
  return { topic: TOPIC, key: aggregate, value: JSON.stringify(envelope) };
}
