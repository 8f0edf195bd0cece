import { z } from 'zod';
import { EXAMPLES } from '../base/examples.ts';
import { idSchema, requestIdSchema } from '../base/ids.ts';
import { cursorSchema, pageLimitSchema } from '../base/paging.ts';
import { isoTimeSchema, pointInTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { auditActionSchema, auditActorSchema, auditDetailSchema, auditPositionSchema } from './documents.ts';

/** Query of GET `/v1/console/audit`. The span includes `from` and excludes `to`. */
export const auditQuerySchema = z
  .strictObject({
    workspaceId: idSchema('workspace').optional().describe('Only entries about this workspace.'),
    actor: idSchema('user').optional().describe('Only entries of this person.'),
    action: auditActionSchema.optional().describe('Only entries with this action.'),
    requestId: requestIdSchema.optional().describe('Only entries of this request.'),
    from: pointInTimeSchema.optional().meta({
      description: 'The first moment to include.',
      example: '2026-09-01T00:00:00.000Z',
    }),
    to: pointInTimeSchema.optional().meta({
      description: 'The first moment that is not included.',
      example: '2026-10-01T00:00:00.000Z',
    }),
    cursor: cursorSchema(auditPositionSchema),
    limit: pageLimitSchema,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'expected a later time than from',
  });

export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const auditEntrySchema = z
  .strictObject({
    at: isoTimeSchema.meta({
      description: 'The time of the action.',
      example: '2026-09-07T10:05:00.000Z',
    }),
    actor: auditActorSchema,
    action: auditActionSchema,
    target: z
      .string()
      .nullable()
      .meta({
        description: 'The id of what was acted on; null for a person.',
        get example() {
          return `${EXAMPLES.installationId}/${EXAMPLES.importId}`;
        },
      }),
    requestId: requestIdSchema,
    detail: auditDetailSchema.meta({
      description: 'Ids, roles and counts by name.',
      example: { importId: EXAMPLES.importId },
    }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'Something that a person or the operator did. It has no secret and no e-mail address.',
  });

export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z
  .strictObject({
    entries: z.array(auditEntrySchema).describe('The entries, newest first.'),
    nextCursor: auditPositionSchema
      .nullable()
      .describe(
        'The `cursor` of the next page; null on the last one. A page can be short or empty and still have one.',
      ),
    ...unreadableMember,
  })
  .meta({ id: 'AuditList', description: 'One page of the audit log.' });
