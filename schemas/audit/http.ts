import { z } from 'zod';
import { idSchema, requestIdSchema } from '../base/ids.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { isoTimeSchema } from '../base/time.ts';
import { auditActionSchema, auditDetailSchema, auditPositionSchema } from './documents.ts';

const timeSchema = isoTimeSchema.transform((text) => Date.parse(text)).optional();

/** Query of GET `/v1/console/audit`. The span includes `from` and excludes `to`. */
export const auditQuerySchema = z
  .strictObject({
    workspaceId: idSchema('workspace').optional(),
    actor: idSchema('user').optional(),
    action: auditActionSchema.optional(),
    from: timeSchema,
    to: timeSchema,
    cursor: auditPositionSchema.optional(),
    limit: pageLimitSchema,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'expected a later time than from',
  });

export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditEntrySchema = z.strictObject({
  at: isoTimeSchema,
  actor: z.strictObject({ kind: z.literal('user'), id: idSchema('user') }),
  action: auditActionSchema,
  target: z.string().nullable(),
  requestId: requestIdSchema,
  detail: auditDetailSchema,
});

export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z.strictObject({
  entries: z.array(auditEntrySchema),
  nextCursor: auditPositionSchema.nullable(),
});
