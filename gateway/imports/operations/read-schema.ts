import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { schemaDetailSchema, schemaRevisionListSchema } from '../../../schemas/imports/console-http.ts';
import type { SchemaSessionsDocument } from '../../../schemas/imports/documents.ts';
import { listQuerySchema } from '../../../schemas/imports/http.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { mapFound } from '../../http/records/readings.ts';
import type { GatewayServices } from '../../services.ts';
import { importMember } from '../audiences.ts';
import { importsReader } from '../load-import.ts';

type Reader = Pick<GatewayServices, 'store'>;

export const readWorkspaceSchemaRoute = importMember.get('/schemas/:schemaId', {
  name: 'readWorkspaceSchema',
  summary: 'Read an import schema',
  description:
    'Returns an import schema in its current revision, with its browser sessions. Members do not see the sessions.',
  success: { status: 200, schema: schemaDetailSchema, description: 'The schema in its current revision' },
  async handle({ principal, workspace, params: { schemaId }, services }) {
    const { schema, sessions } = await readSchema(services, workspace, schemaId);
    const { found, unreadable } = await readRevisions(services, workspace, schemaId, [schema.revision]);
    for (const { cause } of unreadable) throw cause;
    const [current] = found;
    if (current === undefined) throw new Error('reading a schema whose current revision is not there');
    return {
      body: {
        schemaId,
        revision: schema.revision,
        configuration: current.configuration,
        createdAt: isoTime(schema.createdAt),
        revisedAt: current.createdAt,
        sessions:
          principal.role === 'member' ? null : usableSessions(sessions(), workspace, services.clock.now()),
      },
    };
  },
});

/** The cursor is the last revision shown. */
export const listSchemaRevisionsRoute = importMember.get('/schemas/:schemaId/revisions', {
  name: 'listSchemaRevisions',
  summary: 'List the revisions of an import schema',
  description: 'Returns every revision of a schema with its whole configuration, newest first.',
  query: listQuerySchema,
  success: { status: 200, schema: schemaRevisionListSchema, description: 'One page of revisions' },
  async handle({ workspace, params: { schemaId }, query: { cursor, limit }, services }) {
    const { schema } = await readSchema(services, workspace, schemaId);
    const before = Math.min(Number(cursor ?? schema.revision + 1), schema.revision + 1);
    const length = Math.max(0, Math.min(limit, before - 1));
    const numbers = Array.from({ length }, (_, index) => before - 1 - index);
    const { found, unreadable } = await readRevisions(services, workspace, schemaId, numbers);
    const last = numbers.at(-1) ?? 1;
    return { body: { revisions: [...found], nextCursor: last > 1 ? String(last) : null }, unreadable };
  },
});

/**
 * The schema and its sessions.
 *
 * @throws {ServiceError} `not_found` for a schema that the workspace lacks.
 */
async function readSchema({ store }: Reader, { installationId }: WorkspaceView, schemaId: string) {
  const { row } = await importsReader.read(store, installationId, [
    { kind: 'schema', id: schemaId },
    { kind: 'schema-sessions', id: schemaId },
  ]);
  const schema = row('schema', schemaId);
  if (schema === null) {
    throw serviceError('not_found', {
      at: 'path.schemaId',
      seen: 'the id of no schema of this workspace',
      expected: 'the id of one of its schemas',
    });
  }
  // A list of revisions needs no sessions.
  return { schema, sessions: () => row('schema-sessions', schemaId)?.sessions ?? [] };
}

async function readRevisions(
  { store }: Reader,
  { installationId }: WorkspaceView,
  schemaId: string,
  numbers: readonly number[],
) {
  const ids = numbers.map((revision) => schemaRevisionRowId(schemaId, revision));
  const rows = await importsReader.rows(store, installationId, 'schema-revision', ids);
  return mapFound(rows, ({ document: { configuration, createdAt } }) => {
    return { revision: configuration.schema.revision, configuration, createdAt: isoTime(createdAt) };
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
