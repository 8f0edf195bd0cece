import { switchesSchema } from '../../schemas/organizations/switches.ts';
import { operator } from '../audiences.ts';
import { json } from '../http/audience.ts';
import type { Route } from '../http/route.ts';
import { deadLetterRoutes } from './dead-letters.ts';

const readSwitchesRoute = operator.get('/switches', {
  name: 'readSwitches',
  summary: 'Read which new things the service takes',
  success: { status: 200, schema: switchesSchema, description: 'The switches' },
  handle: async ({ services }) => ({ body: await services.switches() }),
});

const setSwitchesRoute = operator.put('/switches', {
  name: 'setSwitches',
  summary: 'Set which new things the service takes',
  body: json(switchesSchema),
  success: { status: 200, schema: switchesSchema, description: 'The switches as they are now' },
  async handle({ principal, body, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'set-switches' } as const;
    return { body: await submit({ ...command, input: body }) };
  },
});

/** The routes for operators of the service. */
export const operationsRoutes: readonly Route[] = [readSwitchesRoute, setSwitchesRoute, ...deadLetterRoutes];
