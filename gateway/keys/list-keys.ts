import { keyListQuerySchema, keyListSchema } from '../../schemas/keys/http.ts';
import { apiKeyDocumentSchema, apiKeyOrderDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import { dashboardMember } from '../audiences.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import { keyAnswer } from './answers.ts';
import { readLastUse } from './key-usage.ts';

/** GET `/v1/keys`: newest first, revoked ones included. */
export const listKeysRoute = dashboardMember.get('/keys', {
  name: 'listKeys',
  summary: "List the organization's API keys",
  query: keyListQuerySchema,
  success: { status: 200, schema: keyListSchema, description: 'One page of keys, without their secrets' },
  async handle({ principal, query, services: { store } }) {
    const aggregate = { table: 'organizations', id: principal.organizationId } as const;
    const { cursor, limit } = query;
    const entries = await store.list(aggregate, 'api-key-order', {
      limit: limit + 1,
      reverse: true,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const page = entries.slice(0, limit);
    const ids = page.map(({ document }) => apiKeyOrderDocumentSchema.parse(document).keyId);
    const rows = ids.map((id) => ({ kind: 'api-key', id }));
    const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
    const keys = await Promise.all(
      ids.map(async (keyId) => {
        const key = row('api-key', keyId, apiKeyDocumentSchema);
        if (key === null) throw new Error('listing a key that is not there');
        return keyAnswer(keyId, key, await readLastUse(store, keyId));
      }),
    );
    const nextCursor = entries.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { body: { keys, nextCursor } };
  },
});
