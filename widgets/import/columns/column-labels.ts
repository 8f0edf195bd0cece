import { CHANGED_TEXTS } from '../../../schemas/imports/changed-texts.ts';
import { labelled } from '../label-name.ts';

/** The English texts about fields, and about what was changed before. `{0}` is filled in. */
export const COLUMN_LABELS = {
  ...labelled('changed', CHANGED_TEXTS),
  changedBefore: 'Changed before the file was sent:',
  countCells: '{0} cells',
  countCellsOne: '1 cell',
  countRows: '{0} rows',
  countRowsOne: '1 row',
  countLines: '{0} lines',
  countLinesOne: '1 line',
  typeText: 'Text',
  typeInteger: 'Whole number',
  typeDecimal: 'Number',
  typeDate: 'Date as {0}',
  typeBoolean: 'true or false',
  ruleRequired: 'required',
  ruleCharacters: 'at most {0} characters',
  ruleCharactersOne: 'at most 1 character',
  ruleDigits: 'at most {0} digits',
  ruleDigitsOne: 'at most 1 digit',
  rulePlaces: 'at most {0} decimal places',
  rulePlacesOne: 'at most 1 decimal place',
  example: 'for example {0}',
};
