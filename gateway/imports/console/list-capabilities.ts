import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import {
  capabilityDocumentSchema,
  capabilityOrderDocumentSchema,
  importsRootSchema,
} from '../../../schemas/imports/documents.ts';
import {
  capabilityListSchema,
  listQuerySchema,
  workspaceSchemaParamsSchema,
} from '../../../schemas/imports/http.ts';
import { orderedRowPrefix } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import { readAggregate } from '../../http/read-aggregate.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { pathWorkspace } from '../console-workspace.ts';
import { importsAggregate } from '../load-import.ts';

/** GET `…/schemas/{schemaId}/capabilities`: newest first, revoked and ended ones included. */
export const listCapabilitiesRoute = defineRoute({
  name: 'listCapabilities',
  summary: 'List the capabilities of a schema',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId/schemas/:schemaId/capabilities',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceSchemaParamsSchema,
  query: listQuerySchema,
  body: { kind: 'none' },
  success: { status: 200, schema: capabilityListSchema, description: 'One page of capabilities' },
  errors: ['forbidden'],
  async handle({ workspace, params, query, services }) {
    const view = pathWorkspace({ workspace });
    const aggregate = importsAggregate(view.installationId);
    const prefix = orderedRowPrefix(params.schemaId);
    const { cursor, limit } = query;
    const entries = await services.store.list(aggregate, 'capability-order', {
      prefix,
      limit: limit + 1,
      reverse: true,
      ...(cursor === undefined ? {} : { after: prefix + cursor }),
    });
    const page = entries.slice(0, limit);
    const ids = page.map(({ document }) => capabilityOrderDocumentSchema.parse(document).capabilityId);
    const reading = await readAggregate(
      services.store,
      aggregate,
      importsRootSchema,
      ids.map((id) => ({ kind: 'capability', id })),
    );
    const capabilities = ids.map((capabilityId) => {
      const capability = reading.row('capability', capabilityId, capabilityDocumentSchema);
      if (capability === null) throw new Error('listing a capability that is not there');
      const { name, origin, delegateApproval, last4, createdAt, revokedAt, lastUsedAt } = capability;
      return {
        capabilityId,
        name,
        origin,
        delegateApproval,
        last4,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(capabilityEnd(capability, view)),
        revokedAt: isoTimeOrNull(revokedAt),
        lastUsedAt: isoTimeOrNull(lastUsedAt),
      };
    });
    const more = entries.length > limit;
    return {
      body: { capabilities, nextCursor: more ? (page.at(-1)?.id.slice(prefix.length) ?? null) : null },
    };
  },
});
