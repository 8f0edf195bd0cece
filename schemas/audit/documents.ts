import { z } from 'zod';
import { idSchema, requestIdSchema } from '../base/ids.ts';
import { epochMsSchema, utcMonth } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';

/** The topic and type of a command, for example `imports.approve-import`. */
export const auditActionSchema = z
  .string()
  .max(120)
  .regex(/^[a-z][a-z-]*\.[a-z][a-z-]*$/, 'expected a topic, a dot and the type of a command')
  .register(z.globalRegistry, { example: 'imports.approve-import' });

/** Ids, roles and counts by name. The record is flat, so that it holds no larger document. */
export const auditDetailSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

export type AuditDetail = z.infer<typeof auditDetailSchema>;

/** The `id` of the actor of `npm run ops`: a person with access to the machine and its secrets. */
export const MACHINE_OPERATOR = 'machine';

/** The actions by which `npm run ops` shows private data. */
export const MACHINE_READS = ['operations.export', 'operations.read-aggregate'] as const;

export const auditActorSchema = z
  .strictObject({
    kind: z
      .enum(['user', 'operator'])
      .describe(
        '`user`: a person of the console; `operator`: a person with access to the machine of the service.',
      ),
    id: z
      .union([idSchema('user'), z.literal(MACHINE_OPERATOR)])
      .register(wireForms, { replaces: { type: 'string' } })
      .describe('The person; `machine` for an operator.'),
  })
  .meta({ id: 'AuditActor', description: 'Who acted.' });

/**
 * Row kind `entry`, id: {@link auditEntryId}. One action for an organization, of a person or of the operator. It holds ids, roles and counts: no
 * secret, no e-mail address and no text of a customer.
 */
export const entryDocumentSchema = z.strictObject({
  at: epochMsSchema,
  actor: auditActorSchema,
  action: auditActionSchema,
  /** An aggregate's id, with an entity of the aggregate if there is one. Null for an action on a person. */
  target: z.string().min(1).max(300).nullable(),
  requestId: requestIdSchema,
  detail: auditDetailSchema,
});

export type EntryDocument = z.infer<typeof entryDocumentSchema>;

export const auditRowSchemas = { entry: entryDocumentSchema } as const;

export type AuditRows = { entry: EntryDocument };

/** The id of an organization's log aggregate for the UTC month of `at` (Unix milliseconds). */
export function auditLogId(organizationId: string, at: number): string {
  return auditLogOfMonth(organizationId, utcMonth(at));
}

/** Like {@link auditLogId}, for a month in the form of {@link utcMonth}. */
export function auditLogOfMonth(organizationId: string, month: string): string {
  return `${organizationId}/${month}`;
}

/** Digits of a time in an id. They suffice until the year 33658, so ids sort by time. */
const TIME_DIGITS = 15;

/** Characters of a command's key in an id. They distinguish entries of one millisecond. */
const KEY_CHARACTERS = 16;

/**
 * The id of an entry: its time, then the first characters of the key of the command that records it. `key` is a SHA-256. A
 * repeated command has the same id.
 */
export function auditEntryId(at: number, key: string): string {
  return `${auditTimePosition(at)}:${key.slice(0, KEY_CHARACTERS)}`;
}

/** The position in the order of ids before every entry of this time and after every earlier entry. */
export function auditTimePosition(at: number): string {
  return String(at).padStart(TIME_DIGITS, '0');
}

/** A position in the order of ids: {@link auditEntryId} or {@link auditTimePosition}. */
export const auditPositionSchema = z
  .string()
  .regex(/^[0-9]{15}(:[0-9a-f]{16})?$/, 'expected the nextCursor of an earlier answer');

/** The month of the newest entry that can be before a position. */
export function auditMonthBefore(position: string): string {
  const at = Number(position.slice(0, TIME_DIGITS));
  return utcMonth(position.length === TIME_DIGITS ? at - 1 : at);
}
