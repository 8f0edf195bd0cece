import { z } from 'zod';
import { CHANGED_TEXTS, type ChangeKind } from './changed-texts.ts';
import { fieldKeySchema } from './fields/field-type.ts';

const CHANGES_MAX = 200;

const count = (description: string) => z.int().nonnegative().optional().meta({ description, example: 12 });

/** A change that the sender says it has made to the file before the upload. It has no value and no name of the file. */
const changeSchema = z
  .strictObject({
    kind: z
      .enum(Object.keys(CHANGED_TEXTS) as [ChangeKind, ...ChangeKind[]])
      .meta({ description: 'The kind of the change.', example: 'dates' }),
    column: fieldKeySchema.optional().meta({
      description: 'The key of the field whose column was changed; absent for the file.',
      example: 'ordered',
    }),
    cells: count('The number of changed cells.'),
    rows: count('The number of changed rows.').meta({ example: 0 }),
    lines: count('The number of changed lines.').meta({ example: 0 }),
  })
  .meta({
    id: 'ImportChange',
    description: 'A change that the sender made before the upload. The service does not verify it.',
    example: { kind: 'dates', column: 'ordered', cells: 1 },
  });

export const changesSchema = z
  .array(changeSchema)
  .max(CHANGES_MAX)
  .meta({ example: [{ kind: 'dates', column: 'ordered', cells: 1 }] });

export type ImportChange = z.infer<typeof changeSchema>;
