import { z } from 'zod';
import { idSchema, requestIdSchema } from '../base/ids.ts';
import { epochMsSchema, utcMonth } from '../base/time.ts';

/** A command's topic and type: `imports.approve-import`. */
export const auditActionSchema = z
  .string()
  .max(120)
  .regex(/^[a-z][a-z-]*\.[a-z][a-z-]*$/, 'expected a topic, a dot and the type of a command');

/** Ids, roles and counts by name. Flat, so that nothing bigger slips in with them. */
export const auditDetailSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

export type AuditDetail = z.infer<typeof auditDetailSchema>;

/**
 * Row kind `entry`, id: {@link auditEntryId}. One thing that a person did for an organization. It names and counts, and
 * holds no secret, no e-mail address and nothing that a customer wrote.
 */
export const entryDocumentSchema = z.strictObject({
  at: epochMsSchema,
  actor: z.strictObject({ kind: z.literal('user'), id: idSchema('user') }),
  action: auditActionSchema,
  /** What was acted on: an aggregate's id, and the entity in it. Null: a person, whose aggregate is not told. */
  target: z.string().min(1).max(300).nullable(),
  requestId: requestIdSchema,
  detail: auditDetailSchema,
});

export type EntryDocument = z.infer<typeof entryDocumentSchema>;

export const auditRowSchemas = { entry: entryDocumentSchema } as const;

export type AuditRows = { entry: EntryDocument };

/** The log's aggregate for the time `at`: one for each organization and UTC month. */
export function auditLogId(organizationId: string, at: number): string {
  return auditLogOfMonth(organizationId, utcMonth(at));
}

/** The same for a month as {@link utcMonth} writes it. */
export function auditLogOfMonth(organizationId: string, month: string): string {
  return `${organizationId}/${month}`;
}

/** Digits of a time in an id: enough for every time until the year 33658, so that texts compare as the times do. */
const TIME_DIGITS = 15;

/** Characters of a command's key that tell apart what happened within a millisecond. */
const KEY_CHARACTERS = 16;

/**
 * The id of an entry: its time, then the start of the key of the command that records it, which is a SHA-256. The same
 * command always has the same id.
 */
export function auditEntryId(at: number, key: string): string {
  return `${auditTimePosition(at)}:${key.slice(0, KEY_CHARACTERS)}`;
}

/** The place in the order of ids before every entry of this time, and after every earlier one. */
export function auditTimePosition(at: number): string {
  return String(at).padStart(TIME_DIGITS, '0');
}

/** A place in the order of ids: {@link auditEntryId} or {@link auditTimePosition}. */
export const auditPositionSchema = z
  .string()
  .regex(/^[0-9]{15}(:[0-9a-f]{16})?$/, 'expected the nextCursor of an earlier answer');

/** The month of the newest entry that can stand before a position. */
export function auditMonthBefore(position: string): string {
  const at = Number(position.slice(0, TIME_DIGITS));
  return utcMonth(position.length === TIME_DIGITS ? at - 1 : at);
}
