import { z } from 'zod';
import {
  type Actor,
  type Command,
  type Envelope,
  envelopeSchema,
  type InputTable,
} from '../../../schemas/base/command.ts';
import { type DeadLetter, deadLetterSchema } from '../../../schemas/base/dead-letter.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { jsonObjectSchema } from '../../../schemas/base/json.ts';
import { keyStatusSchema } from '../../../schemas/limiter/keys.ts';
import { DEAD_LETTERS } from '../../../schemas/operations/dead-letters.ts';
import { TOPIC_NAMES, TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { INDEX_KINDS } from '../../../topics/ports/digest-index.ts';
import type { LogRecord, NewRecord } from '../../../topics/ports/log.ts';
import type { CommandEffect, Effect, FoldContext } from '../fold/fold.ts';
import { keyFromSender, REMEMBERING_TOPICS } from './delivery.ts';

const blobGroupSchema = z.strictObject({ owner: z.string(), group: z.string() });

/** An effect as it is stored in a `pending` row until it is carried out (ARCHITECTURE.md, rule 6). */
export const pendingEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('append'),
    topic: z.enum(TOPIC_NAMES as [TopicName, ...TopicName[]]),
    key: z.string(),
    envelope: envelopeSchema,
  }),
  z.strictObject({
    // The kind and the name of the engines' tables as they are stored: an index entry.
    kind: z.literal('lookup'),
    entry: z.strictObject({
      kind: z.enum(INDEX_KINDS),
      digest: z.string(),
      target: jsonObjectSchema.nullable(),
      version: z.int(),
      expiresAt: z.int().nullable(),
    }),
  }),
  z.strictObject({
    kind: z.literal('limiter-status'),
    entry: z.strictObject({
      account: z.string(),
      keyId: z.string(),
      status: keyStatusSchema,
      version: z.int(),
      expiresAt: z.int().exactOptional(),
    }),
  }),
  z.strictObject({ kind: z.literal('remove-blob'), address: blobGroupSchema.extend({ name: z.string() }) }),
  z.strictObject({ kind: z.literal('remove-blobs'), group: blobGroupSchema }),
]);

export type PendingEffect = z.infer<typeof pendingEffectSchema>;

/** The document of a `pending` row: the effects of one command, in their order. */
export const pendingSchema = z.strictObject({ effects: z.array(pendingEffectSchema) });

/**
 * Converts the effects of a fold to their stored form: with envelopes and versions.
 *
 * The keys derive from the command and from the number of commands that its aggregate has folded. So the same record
 * always has the same follow-ups, and a client's key that was forgotten and is used again has others. If the receiver
 * remembers follow-ups, the key also names the sender, which the receiver asks before it forgets.
 */
export function pendingEffects(
  effects: readonly Effect[],
  command: Command,
  context: FoldContext,
  table: string,
): PendingEffect[] {
  const { aggregate, sequence } = context;
  return effects.map((effect, index) => {
    const digest = digestOf([table, aggregate, command.operation, command.key, sequence, index]);
    return pendingEffect(effect, command, context, { table, digest });
  });
}

const REMEMBERING: ReadonlySet<TopicName> = new Set(REMEMBERING_TOPICS);

function pendingEffect(
  effect: Effect,
  command: Command,
  context: FoldContext,
  { table, digest }: { readonly table: string; readonly digest: string },
): PendingEffect {
  switch (effect.kind) {
    case 'command': {
      const isRemembered = REMEMBERING.has(effect.topic);
      const key = isRemembered ? keyFromSender(table, context.aggregate, digest) : digest;
      const envelope = followUp(effect, command, { key, at: context.now });
      return { kind: 'append', topic: effect.topic, key: effect.key, envelope };
    }
    case 'record':
      return { kind: 'append', topic: effect.topic, key: effect.key, envelope: effect.envelope };
    case 'index': {
      const { kind, digest, target, expiresAt } = effect.entry;
      return { kind: 'lookup', entry: { kind, digest, target, expiresAt, version: context.sequence } };
    }
    case 'limiter-status': {
      const { kind, key, ...said } = effect;
      return { kind, entry: { ...key, ...said, version: context.sequence } };
    }
    case 'remove-blob':
      return { kind: 'remove-blob', address: { ...effect.address } };
    case 'remove-blobs':
      return { kind: 'remove-blobs', group: { ...effect.group } };
  }
}

/**
 * Returns the envelope of a follow-up. Its key derives from the command that caused it, so that a repetition is the
 * same command. It has no `notAfter`, because a decided effect has to happen.
 *
 * @throws {z.ZodError} if the schema of its type does not know it as it is: readers would pass over unknown members
 */
export function followUp(
  effect: CommandEffect,
  parent: Pick<Command, 'requestId' | 'replyTo' | 'actor' | 'traceparent'>,
  derived: { readonly key: string; readonly at: number },
): Envelope {
  const records: InputTable = TOPICS[effect.topic].records;
  records[effect.type]?.input.parse(effect.input);
  return {
    envelope: 1,
    type: effect.type,
    operation: effect.type,
    key: derived.key,
    keyFrom: 'command',
    inputDigest: digestOf(effect.input),
    requestId: parent.requestId,
    replyTo: effect.answers === true ? parent.replyTo : null,
    notAfter: null,
    issuedAt: derived.at,
    actor: parent.actor,
    ...(parent.traceparent === undefined ? {} : { traceparent: parent.traceparent }),
    input: effect.input,
  };
}

const SYSTEM: Actor = { kind: 'system', id: 'processors' };

/** Why a record could not be handled, and the group of consumers that could not. */
export type DeadLetterReason = Required<Pick<DeadLetter, 'group' | 'reason'>>;

/** Returns the record of the dead-letters topic for a record that could not be handled (ARCHITECTURE.md, rule 13). */
export function deadLetterRecord(
  record: LogRecord,
  { group, reason }: DeadLetterReason,
  requestId: string,
  at: number,
): NewRecord {
  const input: DeadLetter = deadLetterSchema.parse({
    topic: record.topic,
    generation: record.generation,
    partition: record.partition,
    offset: record.offset,
    appendedAt: record.appendedAt,
    group,
    key: record.key,
    value: record.value,
    reason,
    at,
  });
  const envelope: Envelope = {
    envelope: 1,
    type: 'dead-letter',
    operation: 'dead-letter',
    key: digestOf([record.topic, record.generation, record.partition, record.offset, group]),
    keyFrom: 'command',
    inputDigest: digestOf(input),
    requestId,
    replyTo: null,
    notAfter: null,
    issuedAt: at,
    actor: SYSTEM,
    input,
  };
  return { topic: 'dead-letters', key: DEAD_LETTERS, value: JSON.stringify(envelope) };
}
