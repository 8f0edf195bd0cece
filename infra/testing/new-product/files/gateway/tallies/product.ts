import { z } from 'zod';
import { exampleSecret } from '../../schemas/base/secrets.ts';
import { tallyInputSchema, tallyProduct } from '../../schemas/tallies/product.ts';
import { agentOf } from '../audiences.ts';
import { type Authenticator, bearerTarget } from '../http/callers/bearer.ts';
import type { GatewayProduct } from '../http/product.ts';
import { creationSecret } from '../http/records/derive.ts';
import { productReader } from '../http/records/product-reader.ts';
import { audience, json } from '../http/routing/audience.ts';
import { tagged } from '../http/routing/route.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';

const agent = agentOf('svctally');
const holder = audience({
  host: 'base',
  principal: 'tally',
  product: 'svctally',
  whenPaused: 'refused',
  rate: 'delivery',
  prefix: '/v1/tally',
});
const createdSchema = z
  .strictObject({
    key: z.string().meta({
      description: 'The secret, for `Authorization: Bearer`.',
      example: exampleSecret('tally'),
    }),
  })
  .meta({ id: 'Tally', description: 'A created tally.' });
const answerSchema = z.strictObject({}).meta({ id: 'ErasedTally', description: 'An erased tally.' });
const countedSchema = z
  .strictObject({ counted: z.int().nonnegative().meta({ example: 1 }) })
  .meta({ id: 'TallyCount', description: 'The count of a tally.' });
const body = json(tallyInputSchema);

const tallyReader = productReader(tallyProduct);

const createTallyRoute = agent.post('/tallies', {
  name: 'createTally',
  summary: 'Create a tally',
  description: 'Creates a tally.',
  body,
  noStore: true,
  success: { status: 201, schema: createdSchema, description: 'It exists' },
  async handle({ params: { installationId }, body: { tally }, submit, services }) {
    const { secret: key, digest } = creationSecret(services, 'tally', null, []);
    const input = { tally, digest };
    await submit({ topic: 'tallies', key: installationId, type: 'create-tally', input });
    return { body: { key } };
  },
});

const countTallyRoute = agent.post('/tallies/count', {
  name: 'countTally',
  summary: 'Count one more',
  description: 'Counts one more.',
  body,
  success: { status: 200, schema: countedSchema, description: 'The count' },
  errors: ['not_found'],
  async handle({ params: { installationId }, body: input, submit }) {
    const { counted } = await submit({ topic: 'tallies', key: installationId, type: 'count-tally', input });
    return { body: { counted } };
  },
});

const countWithKeyRoute = holder.post('/count', {
  name: 'countWithKey',
  summary: 'Count one more',
  description: 'Counts one more.',
  success: { status: 200, schema: countedSchema, description: 'The count' },
  errors: ['not_found'],
  async handle({ principal: { owned }, workspace, submit }) {
    const key = workspace.installationId;
    const { counted } = await submit({ topic: 'tallies', key, type: 'count-tally', input: owned });
    return { body: { counted } };
  },
});

const tallyPrincipal: Authenticator<'tally'> = async (request, services) => {
  const found = await bearerTarget(request, services, tallyProduct.credentials.tally);
  if (found === null) return null;
  const { installationId, tally } = found.target;
  const workspace = await findWorkspace(services.store, installationId);
  return workspace === null ? null : principal('tally', { id: tally, owned: { tally }, workspace });
};

const eraseTallyRoute = agent.post('/tallies/erase', {
  name: 'eraseTally',
  summary: 'Erase a tally',
  description: 'Erases a tally.',
  body,
  success: { status: 200, schema: answerSchema, description: 'It is gone' },
  errors: ['not_found'],
  async handle({ params: { installationId }, body: input, submit }) {
    await submit({ topic: 'tallies', key: installationId, type: 'erase-tally', input });
    return { body: {} };
  },
});

/** Tallies. */
export const talliesGateway: GatewayProduct<'svctally'> = {
  name: 'svctally',
  authenticators: { tally: tallyPrincipal },
  routes: tagged({ name: 'Tallies', description: 'Counts things.' }, [
    createTallyRoute,
    countTallyRoute,
    countWithKeyRoute,
    eraseTallyRoute,
  ]),
  async readResults({ store }, installationId) {
    const { lastCount } = (await tallyReader.read(store, installationId)).root;
    const found = lastCount === null ? [] : [{ id: lastCount.tally, at: lastCount.at }];
    return { found, unreadable: [] };
  },
};
