import {
  deliveriesQuerySchema,
  deliveryListSchema,
  deliveryParamsSchema,
} from '../../../schemas/imports/http.ts';
import { importBackend } from '../audiences.ts';
import { walkImports } from '../walk-imports.ts';
import { deliveryEntry } from './delivery-answer.ts';

/** GET `{ingest}/v1/import/delivery/{workspaceId}/{schemaId}/imports`: approved and later ones, oldest approval first. */
export const listDeliveriesRoute = importBackend.get('/delivery/:workspaceId/:schemaId/imports', {
  name: 'listDeliveries',
  summary: 'List the approved imports of the schema',
  params: deliveryParamsSchema,
  query: deliveriesQuerySchema,
  success: { status: 200, schema: deliveryListSchema, description: 'One page of imports' },
  async handle({ principal, query, services }) {
    const { workspace, owned } = principal;
    const { imports, nextCursor } = await walkImports(services, workspace, {
      index: { kind: 'delivery', ...owned },
      cursor: query.cursor,
      limit: query.limit,
      // An approval that is void does not show.
      accepts: ({ effective }) =>
        effective.approval !== null && (query.filter === 'all' || effective.status === 'approved'),
    });
    return { body: { imports: imports.map((loaded) => deliveryEntry(services, loaded)), nextCursor } };
  },
});
