import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { schemaDetailSchema, schemaRevisionListSchema } from '../../../schemas/imports/console-http.ts';
import {
  importsRootSchema,
  type SchemaSessionsDocument,
  schemaDocumentSchema,
  schemaRevisionDocumentSchema,
  schemaSessionsDocumentSchema,
} from '../../../schemas/imports/documents.ts';
import { listQuerySchema, workspaceSchemaParamsSchema } from '../../../schemas/imports/http.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { readAggregate } from '../../http/read-aggregate.ts';
import type { GatewayServices } from '../../http/services.ts';
import { importMember } from '../audiences.ts';
import { importsAggregate } from '../load-import.ts';

type Reader = Pick<GatewayServices, 'store'>;

/** GET `…/schemas/{schemaId}`: the current revision. Sessions are for owners and admins, like capabilities. */
export const readWorkspaceSchemaRoute = importMember.get('/schemas/:schemaId', {
  name: 'readWorkspaceSchema',
  summary: 'Read an import schema',
  params: workspaceSchemaParamsSchema,
  success: { status: 200, schema: schemaDetailSchema, description: 'The schema in its current revision' },
  async handle({ principal, workspace, params: { schemaId }, services }) {
    const { schema, sessions } = await readSchema(services, workspace, schemaId);
    const [current] = await readRevisions(services, workspace, schemaId, [schema.revision]);
    if (current === undefined) throw new Error('reading a schema whose current revision is not there');
    return {
      body: {
        schemaId,
        revision: schema.revision,
        configuration: current.configuration,
        createdAt: isoTime(schema.createdAt),
        revisedAt: current.createdAt,
        sessions:
          principal.role === 'member' ? null : usableSessions(sessions, workspace, services.clock.now()),
      },
    };
  },
});

/** GET `…/schemas/{schemaId}/revisions`: newest first. The cursor is the last revision shown. */
export const listSchemaRevisionsRoute = importMember.get('/schemas/:schemaId/revisions', {
  name: 'listSchemaRevisions',
  summary: 'List the revisions of an import schema',
  params: workspaceSchemaParamsSchema,
  query: listQuerySchema,
  success: { status: 200, schema: schemaRevisionListSchema, description: 'One page of revisions' },
  async handle({ workspace, params: { schemaId }, query: { cursor, limit }, services }) {
    const { schema } = await readSchema(services, workspace, schemaId);
    const before = Math.min(Number(cursor ?? schema.revision + 1), schema.revision + 1);
    const length = Math.max(0, Math.min(limit, before - 1));
    const numbers = Array.from({ length }, (_, index) => before - 1 - index);
    const revisions = await readRevisions(services, workspace, schemaId, numbers);
    const last = numbers.at(-1) ?? 1;
    return { body: { revisions, nextCursor: last > 1 ? String(last) : null } };
  },
});

/**
 * The schema and its sessions.
 *
 * @throws {ServiceError} `not_found` for a schema that the workspace lacks.
 */
async function readSchema({ store }: Reader, { installationId }: WorkspaceView, schemaId: string) {
  const reading = await readAggregate(store, importsAggregate(installationId), importsRootSchema, [
    { kind: 'schema', id: schemaId },
    { kind: 'schema-sessions', id: schemaId },
  ]);
  const schema = reading.row('schema', schemaId, schemaDocumentSchema);
  if (schema === null) {
    throw serviceError('not_found', {
      at: 'path.schemaId',
      seen: 'the id of no schema of this workspace',
      expected: 'the id of one of its schemas',
    });
  }
  const document = reading.row('schema-sessions', schemaId, schemaSessionsDocumentSchema);
  return { schema, sessions: document?.sessions ?? [] };
}

async function readRevisions(
  { store }: Reader,
  { installationId }: WorkspaceView,
  schemaId: string,
  numbers: readonly number[],
) {
  const ids = numbers.map((revision) => schemaRevisionRowId(schemaId, revision));
  const reading = await readAggregate(
    store,
    importsAggregate(installationId),
    importsRootSchema,
    ids.map((id) => ({ kind: 'schema-revision', id })),
  );
  return numbers.flatMap((revision, index) => {
    const row = reading.row('schema-revision', ids[index] ?? '', schemaRevisionDocumentSchema);
    if (row === null) return [];
    return [{ revision, configuration: row.configuration, createdAt: isoTime(row.createdAt) }];
  });
}

/** The sessions that have not ended: those that have leave the document only with the next mint. */
function usableSessions(sessions: SchemaSessionsDocument['sessions'], workspace: WorkspaceView, now: number) {
  return sessions
    .filter((session) => capabilityEnd(session, workspace) > now)
    .map((session) => ({
      capabilityId: session.capabilityId,
      origin: session.origin,
      schemaRevision: session.schemaRevision,
      delegateApproval: session.delegateApproval,
      expiresAt: isoTime(capabilityEnd(session, workspace)),
      imports: session.imports.length,
    }));
}
