import { randomBytes } from 'node:crypto';
import type { Envelope } from '../../../../schemas/base/command.ts';
import { digestOf } from '../../../../schemas/base/digest.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../../../schemas/base/ids.ts';
import type { TopicName } from '../../../../topics/catalogue.ts';
import type { NewRecord } from '../../../../topics/ports/log.ts';

/** The deadline that a gateway would have set for a recorded command. */
const DEADLINE_MS = 10_000;

/** The reply address of the commands that fill a topic. No gateway listens there. */
const REPLY_TO = 'gateway-that-is-gone';

/** A command whose key is its caller's. */
export type KeyedCommand = Pick<Envelope, 'type' | 'operation' | 'key' | 'actor' | 'input'> & {
  readonly topic: TopicName;
  readonly aggregate: string;
  /** The caller's input, as the digest of the request covers it. */
  readonly digestInput: unknown;
};

/** The record of a command for which a request waits, as a gateway appends it. */
export function awaitedRecord(command: KeyedCommand): NewRecord {
  const issuedAt = Date.now();
  const requestId = requestIdFrom(randomBytes(REQUEST_ID_BYTES));
  return recordOf(command, { requestId, replyTo: REPLY_TO, notAfter: issuedAt + DEADLINE_MS, issuedAt });
}

/** The record of a command for which no request waits. */
export function unawaitedRecord(
  command: KeyedCommand,
  { requestId, issuedAt }: Pick<Envelope, 'requestId' | 'issuedAt'>,
): NewRecord {
  return recordOf(command, { requestId, replyTo: null, notAfter: null, issuedAt });
}

function recordOf(
  { topic, aggregate, digestInput, type, operation, key, actor, input }: KeyedCommand,
  {
    requestId,
    replyTo,
    notAfter,
    issuedAt,
  }: Pick<Envelope, 'requestId' | 'replyTo' | 'notAfter' | 'issuedAt'>,
): NewRecord {
  const envelope: Envelope = {
    envelope: 1,
    type,
    operation,
    key,
    keyFrom: 'client',
    inputDigest: digestOf(digestInput),
    requestId,
    replyTo,
    notAfter,
    issuedAt,
    actor,
    input,
  };
  return { topic, key: aggregate, value: JSON.stringify(envelope) };
}
