import {
  changedSwitchesSchema,
  switchesSchema,
  switchNameSchema,
} from '../../schemas/organizations/switches.ts';
import { operator } from '../audiences.ts';
import { json } from '../http/routing/audience.ts';
import { tagged } from '../http/routing/route.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { summaryRoutes } from './read-summary.ts';

const readSwitchesRoute = operator.get('/switches', {
  name: 'readSwitches',
  summary: 'Read which new things the service accepts',
  description: 'Returns the switches. All are on until an operator sets them.',
  success: { status: 200, schema: switchesSchema, description: 'The switches' },
  handle: async ({ services }) => ({ body: await services.switches.readNow() }),
});

const changeSwitchesRoute = operator.patch('/switches', {
  name: 'changeSwitches',
  summary: 'Change some of the switches',
  description: 'Sets the switches that the body names, whatever another operator sets at the same time.',
  body: json(changedSwitchesSchema),
  success: { status: 200, schema: switchesSchema, description: 'The switches as they are now' },
  async handle({ principal, body, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'set-switches' } as const;
    const only = switchNameSchema.options.filter((name) => body[name] !== undefined);
    const input = { ...(await services.switches.readNow()), only };
    for (const name of only) input[name] = body[name] ?? input[name];
    const set = await submit({ ...command, input });
    services.switches.forget();
    return { body: set };
  },
});

const setSwitchesRoute = operator.put('/switches', {
  name: 'setSwitches',
  summary: 'Set which new things the service accepts',
  description:
    'Sets all switches. They apply to requests that arrive after the answer; another gateway may take a second longer.',
  body: json(switchesSchema),
  success: { status: 200, schema: switchesSchema, description: 'The switches as they are now' },
  async handle({ principal, body, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'set-switches' } as const;
    const set = await submit({ ...command, input: body });
    services.switches.forget();
    return { body: set };
  },
});

export const operationsRoutes = tagged(
  { name: 'Operations', description: 'What the operator of the service does while it runs.' },
  [...summaryRoutes, readSwitchesRoute, setSwitchesRoute, changeSwitchesRoute, ...deadLetterRoutes],
);
