import { SWITCHES_ON, switchesSchema } from '../../schemas/organizations/switches.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';

/** The texts about the operation of the service in the OpenAPI document. */
export const operationsDocumentation: ProductDocumentation = {
  tag: { name: 'Operations', description: 'What the operator of the service does while it runs.' },
  parameters: {},
  schemas: [
    nameSchema(
      'Switches',
      switchesSchema,
      'The new things that the service takes. What is off is refused with 503 `unavailable`; what has begun continues.',
      SWITCHES_ON,
      {
        creation: 'True if workspaces can be created.',
        feedback: 'True if feedback widgets can submit.',
        runs: 'True if runs of browser checks can be requested.',
      },
    ),
  ],
  operations: {
    readSwitches: { description: 'Returns the switches. All are on until an operator sets them.' },
    setSwitches: {
      description: 'Sets all switches. Requests that arrive after the answer find them in force.',
    },
  },
};
