import type { changeList, fieldTexts, suggest } from './main.ts';

/** The part that knows the fields of a schema. */
export interface ColumnsPart {
  readonly suggest: typeof suggest;
  readonly fieldTexts: typeof fieldTexts;
  readonly changeList: typeof changeList;
}
