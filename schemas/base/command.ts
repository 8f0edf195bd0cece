import { z } from 'zod';
import { sha256Schema } from './digest.ts';
import { idSchema, requestIdSchema } from './ids.ts';
import { type JsonObject, jsonObjectSchema } from './json.ts';
import { loadStored, readStored } from './stored.ts';
import { epochMsSchema } from './time.ts';
import { traceparentSchema } from './traceparent.ts';
import { wireForms } from './wire.ts';

/** The caller who asked for a change. The id is never a secret and never an e-mail address. */
const actorSchema = z.strictObject({
  /** `operator`: a person with access to the machine, by `npm run ops`. */
  kind: z.enum(['agent', 'session', 'user', 'capability', 'visitor', 'system', 'operator']),
  id: z.string().min(1).max(80),
  /** Whom a person acts for: whose audit log it lands in. */
  organizationId: idSchema('organization').optional(),
});

export type Actor = z.infer<typeof actorSchema>;

/**
 * The source of a command's key, which decides how long its outcome is remembered.
 *
 * - `client`: an idempotency key of the caller. The outcome lives as long as the resource that it made, or at least
 *   two days if no erasure ends it.
 * - `request`: the request id, because the caller gave no key. Only a waiter can ask for it, so a bounded ring keeps
 *   it.
 * - `command`: derived from the command whose fold sent this one. Unless the fold decides otherwise, it is remembered
 *   until the sender has confirmed that it will not send it again.
 */
export const keySourceSchema = z
  .enum(['client', 'request', 'command'])
  // oapi-codegen has a type `Client` beside the names that it gives to values.
  .register(wireForms, { adds: { 'x-enum-varnames': ['FromClient', 'FromRequest', 'FromCommand'] } });

/** `idempotencyKey`: 1 to 128 printable ASCII characters (infra/docs/reference/README.md#idempotency). */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/, 'expected 1 to 128 printable ASCII characters')
  .meta({
    description:
      'Makes repeats of the request safe: a repeat with the same key and body does nothing again. The key with another body gets 409 `idempotency_conflict`.',
    example: 'attempt-1',
  });

/**
 * The envelope around every record of a topic (ARCHITECTURE.md, rules 5 and 12). The topic's catalogue entry types `input`
 * by `type`. Input holds ids, digests, byte ranges and counts. It holds no secret and no private bytes (ARCHITECTURE.md,
 * rules 9 and 10).
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
  /** The reply address of the gateway that waits, or null if no gateway waits. */
  replyTo: z.string().max(120).nullable(),
  /** A record appended later than this changes nothing: the waiter has already answered that it does not know. */
  notAfter: epochMsSchema.nullable(),
  issuedAt: epochMsSchema,
  actor: actorSchema,
  /** The trace that the record continues (infra/docs/traces.md). Absent while no traces are exported. */
  traceparent: traceparentSchema.optional(),
  input: jsonObjectSchema,
});

export type Envelope = z.infer<typeof envelopeSchema>;

/** An envelope whose input has been parsed by the schema of its type. */
export type Command<Type extends string = string, Input = unknown> = Omit<Envelope, 'type' | 'input'> & {
  readonly type: Type;
  readonly input: Input;
};

/** The input schemas of a topic's records, by record type. */
export type InputTable = Readonly<Record<string, { readonly input: z.ZodType }>>;

export interface CommandDeclaration {
  readonly input: z.ZodType;
  /** The schema of a `done` outcome: the data that answers are made from, without secrets and private values. */
  readonly result: z.ZodType<JsonObject>;
  /**
   * True if the handler decides repeats of a remembered key again, because the earlier answer may no longer hold. A
   * remembered `done` then answers only the request that received it.
   */
  readonly decidesRepeats?: true;
  /** The type of the commands that this one carries. Each is folded as if its record had come alone. */
  readonly carries?: string;
}

/** The commands of a topic by type: each is declared here once. */
export type CommandTable = Readonly<Record<string, CommandDeclaration>>;

/** The result of commands that only succeed or are refused. */
export const noResult = z.strictObject({});

export type CommandType<Table extends InputTable> = keyof Table & string;

/** The input of one type of command, as its schema returns it. */
export type InputOf<Table extends InputTable, Type extends CommandType<Table>> = z.infer<
  Table[Type]['input']
>;

export type ResultOf<Table extends CommandTable, Type extends CommandType<Table>> = z.infer<
  Table[Type]['result']
>;

/** The union of the commands that a table declares. */
export type CommandOf<Table extends InputTable> = {
  [Type in CommandType<Table>]: Command<Type, InputOf<Table, Type>>;
}[CommandType<Table>];

/** The envelope with its input unparsed: the schema of its type parses it next. */
const aroundInputSchema = envelopeSchema.extend({ input: z.unknown() });

/**
 * Reads one record of a topic: the envelope, then the input by its type. Passes over members that only a newer release knows
 * (infra/docs/decisions/0029-unknown-members.md).
 *
 * @throws {z.ZodError} for any other fault of the record
 * @throws {SyntaxError} if it is no JSON
 * @throws {Error} for a type that the table lacks
 */
export function parseCommand<Table extends InputTable>(table: Table, text: string): CommandOf<Table> {
  const envelope = readStored(aroundInputSchema, JSON.parse(text));
  const declared = Object.hasOwn(table, envelope.type) ? table[envelope.type] : undefined;
  if (declared === undefined) throw new Error(`reading a command of the unknown type ${envelope.type}`);
  return { ...envelope, input: readStored(declared.input, envelope.input) } as CommandOf<Table>;
}

/**
 * Reads the envelope of a record, with its input unparsed and with members that only a newer release knows. Returns null if the
 * record is none.
 */
export function readEnvelope(text: string): Envelope | null {
  try {
    return loadStored(envelopeSchema, JSON.parse(text));
  } catch {
    return null;
  }
}
