import type { JsonObject } from '../schemas/base/json.ts';

/** A file of `import configure`, with each type of field. */
export const CONFIGURATION_FILE: JsonObject = {
  name: 'Customers',
  allowedOrigins: ['https://app.example.com'],
  schema: {
    version: 'svcimport.schema.v1',
    revision: 1,
    fields: [
      { key: 'name', type: 'text', required: true, maxLength: 200 },
      { key: 'seats', type: 'integer', required: true },
      { key: 'price', type: 'decimal', required: false, precision: 10, scale: 2 },
      {
        key: 'since',
        type: 'date',
        required: false,
        format: 'DD.MM.YYYY',
        label: 'Customer since',
        description: 'The day of the first contract.',
        aliases: ['Kunde seit', '契約日'],
        example: '31.01.2026',
      },
      { key: 'active', type: 'boolean', required: false },
    ],
  },
};

/** A file of `import map`. */
export const MAPPING_FILE: JsonObject = {
  version: 'svcimport.mapping.v1',
  revision: 1,
  columns: [
    { source: 'Company', target: 'name' },
    { source: 'Seats', target: 'seats' },
  ],
};

/** A file of `activate create` and `activate revise`. */
export const CHECKLIST_FILE: JsonObject = {
  name: 'Start',
  allowedOrigins: ['https://app.example.com'],
  steps: [
    { key: 'profile', label: 'Fill in your profile', description: '', actionPath: '/profile' },
    { key: 'invite', label: 'Invite a colleague', description: 'They need no account.', actionPath: '/team' },
  ],
};
