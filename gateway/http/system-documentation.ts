import type { ProductDocumentation } from './documentation.ts';

/** The texts about the service itself in the OpenAPI document. */
export const systemDocumentation: ProductDocumentation = {
  tag: { name: 'Service', description: 'Probes for operators, and the description of its interface.' },
  parameters: {},
  schemas: [],
  operations: {
    readLiveness: {
      description: 'Returns 200 while the process runs. It asks no other process.',
      answer: { status: 'ok' },
    },
    readReadiness: {
      description: 'Returns 200 while the process can do its work, and 503 with a reason otherwise.',
      answer: { status: 'ok' },
    },
    readOpenApi: { description: 'Returns this document.' },
  },
};
