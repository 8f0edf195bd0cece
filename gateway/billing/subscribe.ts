import { subscribeRequestSchema, subscriptionSchema } from '../../schemas/billing/http.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** POST `/v1/subscription`: live keys work from the answer on. */
export const subscribeRoute = defineRoute({
  name: 'subscribe',
  summary: 'Subscribe the organization to a plan',
  method: 'POST',
  path: '/v1/subscription',
  host: 'dashboard',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  rate: 'management',
  body: { kind: 'json', schema: subscribeRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription, active' },
  errors: ['forbidden'],
  noStore: true,
  async handle({ principal, body, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'subscribe', input: body });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});
