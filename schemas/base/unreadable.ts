import { z } from 'zod';
import { ERRORS } from './error-codes.ts';

/** The error of an entry that cannot be read: the one that a route of this entry alone answers with. */
const UNREADABLE_CODE = 'internal_error';

const unreadableEntrySchema = z
  .strictObject({
    id: z.string().meta({
      description: 'The id of the entry. Routes that erase or revoke it take this id.',
      example: 'key_aaaaaaaaaaaaaaaaaaaaaaaa',
    }),
    error: z
      .strictObject({
        code: z.literal(UNREADABLE_CODE),
        message: z.string().meta({ example: ERRORS[UNREADABLE_CODE].meaning }),
      })
      .describe('The reason, as an error without a request id.'),
  })
  .meta({ id: 'UnreadableEntry', description: 'An entry that exists and that the service cannot read.' });

export type UnreadableEntry = z.infer<typeof unreadableEntrySchema>;

/** The member of an answer with a list that names the entries of the list which cannot be read. */
export const unreadableMember = {
  unreadable: z
    .array(unreadableEntrySchema)
    .optional()
    .describe('Entries of this page that the service cannot read; absent if it can read all of them.'),
};

/** An entry that cannot be read, as answers show it. */
export function unreadableEntry(id: string): UnreadableEntry {
  return { id, error: { code: UNREADABLE_CODE, message: 'The service cannot read this entry.' } };
}
