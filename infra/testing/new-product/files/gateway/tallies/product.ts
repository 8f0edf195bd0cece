import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { lifetimeQuota, quotaAnswer } from '../../schemas/base/quota.ts';
import { tallyInputSchema, tallyProduct } from '../../schemas/tallies/product.ts';
import { agentOf } from '../audiences.ts';
import { audience, json } from '../http/audience.ts';
import { type Authenticator, bearerTarget } from '../http/bearer.ts';
import { creationSecret } from '../http/derive.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES, exampleSecret } from '../http/example-values.ts';
import type { GatewayProduct } from '../http/product.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
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
const params = z.strictObject({ installationId: idSchema('installation') });
const createdSchema = z.strictObject({ key: z.string() });
const answerSchema = z.strictObject({});
const countedSchema = z.strictObject({ counted: z.int().nonnegative() });
const body = json(tallyInputSchema);

async function readRoot(store: Pick<GatewayServices['store'], 'read'>, id: string) {
  const { schema, empty } = tallyProduct.root;
  return (await readAggregate(store, { table: 'tallies', id }, schema)).root ?? empty;
}

const createTallyRoute = agent.post('/tallies', {
  name: 'createTally',
  summary: 'Create a tally',
  params,
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
  params,
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
  params,
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
  routes: [createTallyRoute, countTallyRoute, countWithKeyRoute, eraseTallyRoute],
  documentation: {
    tag: { name: 'Tallies', description: 'Counts things.' },
    parameters: {
      installationId: { description: 'The installation of the workspace.', example: EXAMPLES.installationId },
    },
    schemas: [
      nameSchema('TallyRequest', tallyInputSchema, 'A tally.', { tally: 'marker' }, { tally: 'Its name.' }),
      nameSchema(
        'Tally',
        createdSchema,
        'A created tally.',
        { key: exampleSecret('tally') },
        { key: 'The secret, for `Authorization: Bearer`.' },
      ),
      nameSchema(
        'TallyCount',
        countedSchema,
        'The count of a tally.',
        { counted: 1 },
        { counted: 'The count.' },
      ),
      nameSchema('ErasedTally', answerSchema, 'An erased tally.', {}, {}),
    ],
    operations: {
      createTally: { description: 'Creates a tally.' },
      countTally: { description: 'Counts one more.' },
      countWithKey: { description: 'Counts one more.' },
      eraseTally: { description: 'Erases a tally.' },
    },
  },
  async readLimits({ store, limits }, installationId, { plan }) {
    const { talliesMade } = await readRoot(store, installationId);
    return { tallies: quotaAnswer(lifetimeQuota(limits.plans[plan].tallies, talliesMade)) };
  },
  async readResults({ store }, installationId) {
    const { lastCount } = await readRoot(store, installationId);
    return lastCount === null ? [] : [{ id: lastCount.tally, at: lastCount.at }];
  },
};
