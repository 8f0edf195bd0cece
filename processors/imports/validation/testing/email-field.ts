import { z } from 'zod';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
} from '../../../../schemas/imports/fields/field-type.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** A type that the service does not have: an e-mail address, its domain in lower case. */
export const emailField = defineFieldType({
  name: 'email',
  schema: z
    .strictObject({
      ...commonMembers,
      type: z.literal('email'),
      domain: z.string().optional().describe('The only domain.'),
    })
    .meta({
      id: 'EmailField',
      description: 'An e-mail address.',
      example: { key: 'contact', type: 'email', required: true, domain: 'example.com' },
    }),
  read({ domain }, cell) {
    if (!EMAIL.test(cell)) return fieldError('not_email', 'Allowed: an e-mail address.');
    const [name = '', host = ''] = cell.split('@');
    const value = `${name}@${host.toLowerCase()}`;
    if (domain === undefined || value.endsWith(`@${domain}`)) return fieldValue(value);
    return fieldError('other_domain', `Allowed: an address at ${domain}.`);
  },
  errorCode: { not_email: 'the cell is not an e-mail address', other_domain: 'another domain' },
  artifactBound: STRING_ARTIFACT_BOUND,
});
