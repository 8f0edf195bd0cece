import { sourceSampleSchema, uploadParamsSchema } from '../../../schemas/imports/http.ts';
import { endedRefusal, statusRefusal } from '../../../schemas/imports/status.ts';
import { defineRoute } from '../../http/route.ts';
import type { GatewayServices } from '../../http/services.ts';
import type { PrincipalOf } from '../../principals.ts';
import { type LoadedImport, refuse } from '../load-import.ts';
import { lookAgain } from '../look-again.ts';
import { sampleSource } from '../sample-source.ts';
import { loadOwnImport } from './own-import.ts';

/** GET `…/browser/imports/{importId}/source`: for whoever maps the columns, before any validation. */
export const readSessionSourceRoute = defineRoute({
  name: 'readSessionSource',
  summary: 'Look at the header and the first rows of the file',
  method: 'GET',
  path: '/v1/import/browser/imports/:importId/source',
  host: 'ingest',
  principal: 'session',
  cors: 'session-origin',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'none',
  params: uploadParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: sourceSampleSchema, description: 'The start of the file' },
  errors: ['state_conflict', 'cancelled', 'erased'],
  noStore: true,
  async handle({ principal, params, services }) {
    return await lookAgain(
      () => loadReadable(services, principal, params.importId),
      async (loaded) => ({ body: await sampleSource(services, principal.workspace, loaded) }),
    );
  },
});

async function loadReadable(
  services: GatewayServices,
  principal: PrincipalOf<'session'>,
  importId: string,
): Promise<LoadedImport> {
  const loaded = await loadOwnImport(services, principal, importId);
  const { effective } = loaded;
  refuse(endedRefusal(effective) ?? statusRefusal(effective, WITH_FILE));
  return loaded;
}

/** The statuses in which there is a file that can be read. */
const WITH_FILE = ['uploaded', 'validating', 'ready', 'needs_correction', 'approved', 'delivered'] as const;
