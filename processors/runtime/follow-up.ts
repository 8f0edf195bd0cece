import { z } from 'zod';
import { type Actor, type Command, type Envelope, envelopeSchema } from '../../schemas/base/command.ts';
import { type DeadLetter, deadLetterSchema } from '../../schemas/base/dead-letter.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { jsonObjectSchema } from '../../schemas/base/json.ts';
import { keyStatusSchema } from '../../schemas/limiter/keys.ts';
import { TOPIC_NAMES, type TopicName } from '../../topics/catalogue.ts';
import type { LogRecord, NewRecord } from '../../topics/ports/log.ts';
import { LOOKUP_KINDS } from '../../topics/ports/lookups.ts';
import { keyFromSender, REMEMBERING_TOPICS } from './delivery.ts';
import type { CommandEffect, Effect, FoldContext } from './fold.ts';

const blobGroupSchema = z.strictObject({ owner: z.string(), group: z.string() });

/** An effect as it is stored in a `pending` row until it has been carried out (design rule 6). */
export const pendingEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('append'),
    topic: z.enum(TOPIC_NAMES as [TopicName, ...TopicName[]]),
    key: z.string(),
    envelope: envelopeSchema,
  }),
  z.strictObject({
    kind: z.literal('lookup'),
    entry: z.strictObject({
      kind: z.enum(LOOKUP_KINDS),
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
    }),
  }),
  z.strictObject({ kind: z.literal('remove-blob'), address: blobGroupSchema.extend({ name: z.string() }) }),
  z.strictObject({ kind: z.literal('remove-blobs'), group: blobGroupSchema }),
]);

export type PendingEffect = z.infer<typeof pendingEffectSchema>;

/** The document of a `pending` row: the effects of one command, in their order. */
export const pendingSchema = z.strictObject({ effects: z.array(pendingEffectSchema) });

/**
 * Turns what a fold asked for into what is stored and carried out: envelopes made, versions set.
 *
 * The keys derive from the command and from how often its aggregate has folded: a client's key that was forgotten and is
 * used once more asks for other follow-ups than the first time, and the same record always for the same ones. Where the
 * receiver remembers follow-ups, the key also names the sender, which the receiver asks before it forgets.
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
    case 'lookup': {
      const { kind, digest, target, expiresAt } = effect.lookup;
      return { kind: 'lookup', entry: { kind, digest, target, expiresAt, version: context.sequence } };
    }
    case 'limiter-status': {
      const { key, status } = effect;
      return { kind: 'limiter-status', entry: { ...key, status, version: context.sequence } };
    }
    case 'remove-blob':
      return { kind: 'remove-blob', address: { ...effect.address } };
    case 'remove-blobs':
      return { kind: 'remove-blobs', group: { ...effect.group } };
  }
}

/**
 * The envelope of a follow-up. Its key derives from the command that asked for it, so that sending it again is the same
 * command; it has no `notAfter`, because what was decided has to happen.
 */
export function followUp(
  effect: CommandEffect,
  parent: Pick<Command, 'requestId' | 'replyTo' | 'actor'>,
  derived: { readonly key: string; readonly at: number },
): Envelope {
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
    input: effect.input,
  };
}

const SYSTEM: Actor = { kind: 'system', id: 'processors' };

/** The record of the dead-letters topic for a record that could not be handled (design rule 13). */
export function deadLetterRecord(
  record: LogRecord,
  reason: string,
  requestId: string,
  at: number,
): NewRecord {
  const input: DeadLetter = deadLetterSchema.parse({
    topic: record.topic,
    generation: record.generation,
    partition: record.partition,
    offset: record.offset,
    key: record.key,
    value: record.value,
    reason,
    at,
  });
  const envelope: Envelope = {
    envelope: 1,
    type: 'dead-letter',
    operation: 'dead-letter',
    key: digestOf([record.topic, record.generation, record.partition, record.offset]),
    keyFrom: 'command',
    inputDigest: digestOf(input),
    requestId,
    replyTo: null,
    notAfter: null,
    issuedAt: at,
    actor: SYSTEM,
    input,
  };
  return { topic: 'dead-letters', key: record.key, value: JSON.stringify(envelope) };
}
