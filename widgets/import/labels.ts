import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { relabel } from '../shared/labels.ts';
import type { CHECK_LABELS } from './check/check-labels.ts';
import type { ERROR_LABELS } from './check/error-labels.ts';
import type { COLUMN_LABELS } from './columns/column-labels.ts';
import type { ASK_LABELS } from './fix/ask-labels.ts';
import { labelled } from './label-name.ts';

/** Faults that only the service finds; without rows a file can also be once a part of it is left out. */
const { no_header, header_too_large, no_rows, artifact_limit, internal, ...SEEN_FAULTS } = FILE_FAULTS;

/** The English texts of the steps of an import. `{0}` to `{2}` are filled in. */
export const STEP_LABELS = {
  ...labelled('fault', { no_header, header_too_large, no_rows, artifact_limit, internal }),
  title: 'Import a file',
  progress: 'Progress',
  stepFile: 'File',
  stepColumns: 'Columns',
  stepCheck: 'Check',
  stepApprove: 'Approve',
  loading: 'Loading',
  drop: 'Drop a CSV file, or choose one',
  oneFile: 'Choose one file at a time.',
  bounds: 'UTF-8, at most {0} and {1} rows',
  tooLarge: '{0} is {1}. At most {2} are allowed.',
  empty: '{0} is empty.',
  spreadsheet: '{0} is a spreadsheet or an archive. Save it as CSV in UTF-8, and choose that file.',
  notUtf8: '{0} is not UTF-8. Save it as CSV in UTF-8, and choose that file.',
  unreadable: '{0} could not be read. Choose it again.',
  uploading: 'Sending {0}',
  sent: '{0} of {1}',
  cancel: 'Cancel import',
  yourColumn: 'Your column',
  goesTo: 'Goes to',
  leaveOut: 'Leave out',
  required: '{0}, required',
  missing: 'Choose a column for: {0}',
  check: 'Check the rows',
  checkRows: 'Check {0} rows',
  checkRowsOne: 'Check 1 row',
  back: 'Back',
  starting: 'Reading the file',
  checking: '{0} of {1} parts checked',
  counted: '{0} valid, {1} with errors',
  left: 'about {0} s left',
  look: 'Look at the rows',
  rows: 'Rows',
  firstRows: 'The first {0} of {1} rows are listed.',
  invalid: '{0} of {1} rows cannot be read.',
  correct: 'Correct them in your file and choose it again.',
  row: 'Row',
  again: 'Choose a corrected file',
  columns: 'Change the columns',
  download: 'Download {0} rows',
  downloadOne: 'Download 1 row',
  ready: '{0} rows are ready',
  readyOne: '1 row is ready',
  yourTeam: 'Your team approves this. You can close the page.',
  valid: '{0} rows are valid. Blank lines left out: {1}.',
  validOne: '1 row is valid. Blank lines left out: {1}.',
  approve: 'Approve {0} rows',
  approveOne: 'Approve 1 row',
  approved: '{0} rows are approved',
  approvedOne: '1 row is approved',
  delivered: 'The application continues by itself. You can close the page.',
  cancelled: 'The import was cancelled.',
  failed: 'The file cannot be imported.',
  line: 'Line {0}.',
  ended: 'The session has ended',
  kept: 'What was sent is kept for your team. Load the page again to continue.',
  renew: 'Try again to continue with your file.',
  refused: 'Importing is not possible right now',
  lost: 'No answer came, so it is not known whether this step was done. Try again to find out.',
  busy: 'Another file is being checked. Try again in a moment.',
  limit: 'A limit is reached. Ask the team of this application.',
  tooFast: 'Too much was sent in a short time. Try again in a minute.',
  paused: 'Importing is paused. Try again later.',
  over: 'Importing has ended here.',
  wrongPage: 'This page may not import files.',
  other: 'The service refused this step. Try again to see where the import is.',
  retry: 'Try again',
  another: 'Import another file',
  nextPart: 'Import rows {0} to {1}',
};

/** The English texts about a file that are needed before the user is asked about it. */
export const FILE_LABELS = {
  ...labelled('fix', { ...SEEN_FAULTS, no_rows }),
  fixAsk: 'Show the file before it is sent, to choose its header',
  fixColumnName: 'Column {0}',
  fixCounts: 'At least {0} were found; at most {1} are allowed.',
  fixLooking: 'Looking at {0}',
  fixRefused: 'The service refuses this file.',
  fixYourself: 'Correct it in your file and choose it again.',
  fixUndecided: 'Decide about each finding first.',
  fixWebPage: 'This is a web page or XML, not a table.',
  fixJson: 'This is JSON, not a table.',
  fixOtherFormat: 'This has the format of another program and is not a table.',
};

/** The texts of the widget's first part by their names. */
export const LABELS = { ...STEP_LABELS, ...FILE_LABELS };

/** The names of all texts. Those of other files are there once their part has been loaded. */
export type Label =
  | keyof typeof LABELS
  | keyof typeof ASK_LABELS
  | keyof typeof CHECK_LABELS
  | keyof typeof ERROR_LABELS
  | keyof typeof COLUMN_LABELS;
export type Texts = Readonly<Record<Label, string>>;

/** The texts with those of the page. Its text for many, such as `ready`, takes the place of `readyOne`, unless it has that as well. */
export function labelsOf(texts: Partial<Texts>, own: unknown): Texts {
  const singular = Object.keys(texts).filter((name) => name.endsWith('One'));
  const plural = singular.map((name) => [name, Object(own)[name.slice(0, -'One'.length)]]);
  return relabel(relabel(texts, Object.fromEntries(plural)), own) as Texts;
}
