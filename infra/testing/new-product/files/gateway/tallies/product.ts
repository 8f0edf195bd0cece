import { z } from 'zod';
import { allowanceAnswer, lifetimeAllowance } from '../../schemas/base/allowance.ts';
import { idSchema } from '../../schemas/base/ids.ts';
import { tallyInputSchema, tallyProduct } from '../../schemas/tallies/product.ts';
import { audience, json } from '../http/audience.ts';
import type { GatewayProduct } from '../http/product.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';

const agent = audience({
  host: 'base',
  principal: 'project',
  product: 'svctally',
  whenPaused: 'allowed',
  rate: 'management',
  prefix: '/v1/installations/:installationId/svctally',
});
const params = z.strictObject({ installationId: idSchema('installation') });
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
  success: { status: 201, schema: answerSchema, description: 'It exists' },
  async handle({ params: { installationId }, body: input, submit }) {
    await submit({ topic: 'tallies', key: installationId, type: 'create-tally', input });
    return { body: {} };
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
export const gatewayProduct: GatewayProduct = {
  name: 'svctally',
  routes: [createTallyRoute, countTallyRoute, eraseTallyRoute],
  documentation: {
    tag: { name: 'Tallies', description: 'Counts things.' },
    parameters: {},
    schemas: [],
    operations: {
      createTally: { description: 'Creates a tally.' },
      countTally: { description: 'Counts one more.' },
      eraseTally: { description: 'Erases a tally.' },
    },
  },
  async readLimits({ store, limits }, installationId, { plan }) {
    const { talliesMade } = await readRoot(store, installationId);
    return { tallies: allowanceAnswer(lifetimeAllowance(limits.plans[plan].tallies, talliesMade)) };
  },
  async readResults({ store }, installationId) {
    const { lastCount } = await readRoot(store, installationId);
    return lastCount === null ? [] : [{ id: lastCount.tally, at: lastCount.at }];
  },
};
