import { z } from 'zod';
import { sha256Schema } from './digest.ts';
import { idSchema, requestIdSchema } from './ids.ts';
import { jsonObjectSchema } from './json.ts';
import { epochMsSchema } from './time.ts';

/** Who asked for a change. The id is never a secret and never an e-mail address. */
export const actorSchema = z.strictObject({
  kind: z.enum(['agent', 'session', 'user', 'capability', 'visitor', 'system']),
  id: z.string().min(1).max(80),
  /** Whom a person acts for: whose audit log it lands in. */
  organizationId: idSchema('organization').optional(),
});

export type Actor = z.infer<typeof actorSchema>;

/**
 * Where a command's key comes from, which decides how long its outcome is remembered:
 * - `client`: an idempotency key of the caller; the outcome lives as long as what it made, and at least two days where
 *   nothing erases that.
 * - `request`: the request id, because the caller gave none; only a waiter can ask for it, so a bounded ring keeps it.
 * - `command`: derived from the command whose fold asked for this one; remembered, unless the fold says otherwise, until the
 *   sender has confirmed that it sends it no more.
 */
export const keySourceSchema = z.enum(['client', 'request', 'command']);

/** `idempotencyKey`: 1 to 128 printable ASCII characters (contract "Answers"). */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/, 'expected 1 to 128 printable ASCII characters');

/**
 * The envelope around every record of a topic (design rule 5 and 12). `input` is typed by the topic's catalogue entry
 * under `type`; it holds ids, digests, byte ranges and counts, never a secret and never private bytes (rules 9, 10).
 */
export const envelopeSchema = z.strictObject({
  envelope: z.literal(1),
  type: z.string().min(1).max(60),
  /** The operation whose keys are one scope: the route's name, or the command's type for a follow-up. */
  operation: z.string().min(1).max(80),
  key: z.string().min(1).max(300),
  keyFrom: keySourceSchema,
  /** SHA-256 over the parsed input as the caller sent it, path parameters included. */
  inputDigest: sha256Schema,
  requestId: requestIdSchema,
  /** The reply address of the gateway that waits, or null when nobody does. */
  replyTo: z.string().max(120).nullable(),
  /** A record appended later than this changes nothing: the waiter has already answered that it does not know. */
  notAfter: epochMsSchema.nullable(),
  issuedAt: epochMsSchema,
  actor: actorSchema,
  input: jsonObjectSchema,
});

export type Envelope = z.infer<typeof envelopeSchema>;

/** An envelope whose input has been parsed by the schema of its type. */
export type Command<Type extends string = string, Input = unknown> = Omit<Envelope, 'type' | 'input'> & {
  readonly type: Type;
  readonly input: Input;
};

/** The schemas of a topic's inputs by command type. */
export type CommandSchemas = Readonly<Record<string, z.ZodType>>;

/** The union of commands that a set of input schemas describes. */
export type CommandOf<Schemas extends CommandSchemas> = {
  [Type in keyof Schemas & string]: Command<Type, z.infer<Schemas[Type]>>;
}[keyof Schemas & string];

/** The envelope around an input that the schema of its type is going to read: that says all there is to say of it. */
const aroundInputSchema = envelopeSchema.extend({ input: z.unknown() });

/** Reads one record of a topic: the envelope, then the input by its type. Throws what zod throws. */
export function parseCommand<Schemas extends CommandSchemas>(
  schemas: Schemas,
  text: string,
): CommandOf<Schemas> {
  const envelope = aroundInputSchema.parse(JSON.parse(text));
  const schema = Object.hasOwn(schemas, envelope.type) ? schemas[envelope.type] : undefined;
  if (schema === undefined) throw new Error(`reading a command of the unknown type ${envelope.type}`);
  return { ...envelope, input: schema.parse(envelope.input) } as CommandOf<Schemas>;
}
