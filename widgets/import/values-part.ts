import type { countChanges, editsOf, readColumn, writeColumns } from './values/main.ts';

/** The part that reads and corrects values. */
export interface ValuesPart {
  readonly readColumn: typeof readColumn;
  readonly writeColumns: typeof writeColumns;
  readonly editsOf: typeof editsOf;
  readonly countChanges: typeof countChanges;
}
