import type { z } from 'zod';
import { isoTime, SECOND_MS } from '../../../schemas/base/time.ts';
import {
  deliveriesQuerySchema,
  deliveryImportSchema,
  deliveryListSchema,
} from '../../../schemas/imports/delivery-http.ts';
import { workspaceRefusal } from '../../../schemas/workspaces/state.ts';
import type { IncomingHeaders } from '../../http/routing/route.ts';
import type { PrincipalOf } from '../../principals.ts';
import type { GatewayServices } from '../../services.ts';
import { importBackend } from '../audiences.ts';
import { type LoadedImport, loadImport, statusAnswer } from '../load-import.ts';
import { capabilityPrincipal } from '../principals.ts';
import { type ImportPage, walkImports } from '../walk-imports.ts';

export const listDeliveriesRoute = importBackend.get('/delivery/:workspaceId/:schemaId/imports', {
  name: 'listDeliveries',
  summary: 'List the approved imports of the schema',
  description:
    'Returns imports of the schema that were approved, oldest approval first. Without `filter=undelivered`, delivered, cancelled and expired ones are among them. With `wait`, an empty page is answered as soon as an import is approved.',
  query: deliveriesQuerySchema,
  success: { status: 200, schema: deliveryListSchema, description: 'One page of imports' },
  async handle({ principal, query, services, request, gone }) {
    const { workspace, owned } = principal;
    const read = () =>
      walkImports(services, workspace, {
        index: { kind: 'delivery', ...owned },
        cursor: query.cursor,
        limit: query.limit,
        // An approval that is void does not show.
        accepts: ({ effective }) =>
          effective.approval !== null && (query.filter === 'all' || effective.status === 'approved'),
      });
    const { imports, unreadable, nextCursor } =
      query.wait === 0
        ? await read()
        : await readOrWait(principal, query.wait, { read, services, request, gone });
    const listed = imports.map((loaded) => deliveryEntry(services, loaded));
    return { body: { imports: listed, nextCursor }, unreadable };
  },
});

interface Waiting {
  readonly read: () => Promise<ImportPage>;
  readonly services: GatewayServices;
  readonly request: IncomingHeaders;
  readonly gone: () => AbortSignal;
}

/** Ends a wait without an import: the next request gets the reason. */
const EMPTY: ImportPage = { imports: [], unreadable: [], nextCursor: null };

/**
 * The page, once an import is on it, or as it is when the seconds are over, the caller has gone or the process ends. The end of
 * the capability or of the workspace ends the wait, too.
 */
async function readOrWait(
  { id, workspace, owned }: PrincipalOf<'capability'>,
  seconds: number,
  { read, services, request, gone }: Waiting,
): Promise<ImportPage> {
  const { approvalWaits } = services;
  const wait = approvalWaits.start(
    { capability: id, holder: workspace.organizationId ?? workspace.creator },
    { installationId: workspace.installationId, ...owned },
  );
  const signal = gone();
  const endsAt = performance.now() + seconds * SECOND_MS;
  try {
    for (;;) {
      const page = await read();
      const leftMs = endsAt - performance.now();
      const isOver = leftMs <= 0 || signal.aborted || approvalWaits.isClosed;
      if (isOver || page.imports.length > 0 || page.nextCursor !== null) return page;
      await wait.next(leftMs, signal);
      if (!(await holds(request, services))) return EMPTY;
    }
  } finally {
    wait.end();
  }
}

/** True while the capability of a request and its workspace may still pull imports. */
async function holds(request: IncomingHeaders, services: GatewayServices): Promise<boolean> {
  const now = await capabilityPrincipal(request, services);
  return now !== null && workspaceRefusal(now.workspace, services.clock.now(), 'allowed') === null;
}

export const readDeliveryRoute = importBackend.get('/delivery/:workspaceId/:schemaId/imports/:importId', {
  name: 'readDelivery',
  summary: 'Read one import of the schema',
  description: 'Returns one import of the schema.',
  success: { status: 200, schema: deliveryImportSchema, description: 'The import' },
  errors: ['erased'],
  async handle({ principal, params, services }) {
    return { body: deliveryAnswer(services, await loadDelivery(services, principal, params.importId)) };
  },
});

/**
 * An import of the capability's own schema.
 *
 * @throws {ServiceError} `not_found` for any other one, `erased` for one that was.
 */
export async function loadDelivery(
  services: GatewayServices,
  { workspace, owned }: PrincipalOf<'capability'>,
  importId: string,
): Promise<LoadedImport> {
  return await loadImport(services, workspace, importId, (owner) => owner.schemaId === owned.schemaId);
}

/** One import, as the list shows it. */
function deliveryEntry(
  services: GatewayServices,
  loaded: LoadedImport,
): z.infer<typeof deliveryListSchema>['imports'][number] {
  const { importId, status, schemaRevision, rows, batchCount, acknowledgedBatches, approvedAt } =
    statusAnswer(services, loaded);
  const rowCount = rows.valid;
  return { importId, status, schemaRevision, rowCount, batchCount, acknowledgedBatches, approvedAt };
}

/** One import as the customer's backend sees it. */
function deliveryAnswer(
  services: GatewayServices,
  loaded: LoadedImport,
): z.infer<typeof deliveryImportSchema> {
  const { document, effective } = loaded;
  return {
    ...deliveryEntry(services, loaded),
    mappingRevision: document.mappingRevision === 0 ? null : document.mappingRevision,
    validationDigest: effective.validation?.digest ?? null,
    expiresAt: isoTime(effective.expiresAt),
  };
}
