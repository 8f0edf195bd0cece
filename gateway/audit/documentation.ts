import { auditEntrySchema, auditListSchema } from '../../schemas/audit/http.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const ENTRY = {
  at: EXAMPLES.later,
  actor: { kind: 'user' as const, id: EXAMPLES.userId },
  action: 'imports.approve-import',
  target: `${EXAMPLES.installationId}/${EXAMPLES.importId}`,
  requestId: EXAMPLES.requestId,
  detail: { importId: EXAMPLES.importId },
};

/** The texts about the audit log in the OpenAPI document. */
export const auditDocumentation: ProductDocumentation = {
  tag: {
    name: 'Audit log',
    description: 'What people did for their organization, and which private data they read.',
  },
  parameters: {
    workspaceId: { description: 'Only entries about this workspace.', example: EXAMPLES.workspaceId },
    actor: { description: 'Only entries of this person.', example: EXAMPLES.userId },
    action: { description: 'Only entries with this action.', example: ENTRY.action },
    from: { description: 'The first moment to include, in UTC.', example: '2026-09-01T00:00:00.000Z' },
    to: { description: 'The first moment to leave out, in UTC.', example: '2026-10-01T00:00:00.000Z' },
    cursor: { description: 'The `nextCursor` of the page before.', example: '001788775200000' },
    limit: { description: 'The largest number of entries to return.', example: 20 },
  },
  schemas: [
    nameSchema(
      'AuditList',
      auditListSchema,
      'One page of the audit log.',
      { entries: [ENTRY], nextCursor: null },
      {
        entries: 'The entries, newest first.',
        nextCursor:
          'The `cursor` of the next page; null on the last one. A page can be short or empty and still have one.',
      },
    ),
    nameSchema(
      'AuditEntry',
      auditEntrySchema,
      'Something that a person did. It has no secret and no e-mail address.',
      ENTRY,
      {
        at: 'The time of the action, in UTC.',
        action: 'The action.',
        target: 'The id of what was acted on; null for a person.',
        requestId: 'The request.',
        detail: 'Ids, roles and counts by name.',
      },
    ),
    nameSchema('AuditActor', auditEntrySchema.shape.actor, 'The person who acted.', ENTRY.actor, {
      kind: 'The kind of actor.',
      id: 'The person.',
    }),
  ],
  operations: {
    listAuditEntries: {
      description:
        'Returns entries, newest first. An entry appears a moment after the change that it is about was answered. With `Accept: text/csv` the answer is a file that is safe to open in a spreadsheet; the address of the next page is in the header `Link`.',
      file: { example: 'at,actor_kind,actor_id,action,target,request_id,detail\r\n' },
    },
  },
};
