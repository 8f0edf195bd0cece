import { isoTime } from '../../../schemas/base/time.ts';
import { sessionSchema } from '../../../schemas/imports/http.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import { defineRoute } from '../../http/route.ts';
import { loadConfiguration, loadImports } from '../load-import.ts';
import { statusAnswer } from '../status-answer.ts';
import { sessionBounds } from './session-bounds.ts';

/** GET `{ingest}/v1/import/browser`: what the session is bound to, and what it has made. */
export const readSessionRoute = defineRoute({
  name: 'readImportSession',
  summary: 'Read the session, its fields and its imports',
  method: 'GET',
  path: '/v1/import/browser',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  body: { kind: 'none' },
  success: { status: 200, schema: sessionSchema, description: 'The session' },
  errors: [],
  noStore: true,
  async handle({ principal, services }) {
    const { workspace, owned, schemaRevision, origin, delegateApproval, endsAt, importIds } = principal;
    const { schemaId } = owned;
    const [configuration, imports] = await Promise.all([
      loadConfiguration(services, workspace, { schemaId, schemaRevision }),
      loadImports(services, workspace, [...importIds].reverse()),
    ]);
    return {
      body: {
        ...sessionBounds(services, workspace, schemaId),
        schemaRevision,
        fields: configuration.schema.fields,
        origin,
        expiresAt: isoTime(capabilityEnd({ endsAt }, workspace)),
        approvalDelegated: delegateApproval,
        imports: imports.map((loaded) => statusAnswer(services, loaded)),
      },
    };
  },
});
