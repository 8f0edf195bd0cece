import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { type Expected, trimmed } from './person.ts';

export interface SurveyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: Expected;
}

/** The files of the survey in a checkout of HPI-Information-Systems/Pollock that are there, each with its clean version. */
export function surveyFiles(folder: string): SurveyFile[] {
  const files = join(folder, 'survey_sample/csv');
  const clean = join(folder, 'survey_sample/clean');
  return readdirSync(files)
    .filter((name) => existsSync(join(clean, name)))
    .map((name) => ({
      name,
      bytes: readFileSync(join(files, name)),
      expected: { rows: tableOf(name, readFileSync(join(clean, name), 'utf8')), plain, hasNames: false },
    }));
}

/** The clean version of this file has no header, as the file itself. */
const WITHOUT_HEADER = 'Auto_Tone_sub315_day1.csv';

/** The clean versions of these files keep sums of their rows and a note, which a careful reader takes for no records. */
const WITH_SUMS = [
  '20170320-ePC_Data-Travel-Stationery.csv',
  'Feb-2016.csv',
  'Note_4_Staff_costs_-_Average_number_of_persons_employed_13-14.csv',
  'business_expenses_apr_jun_14_peter_lewis.csv',
  'public-toilet-borough-grid.csv',
];
const SUM = /^(?:Grand )?Total\b|^All transactions/;

function tableOf(name: string, clean: string): string[][] {
  const { data } = Papa.parse<string[]>(clean);
  if (WITH_SUMS.includes(name)) return data.filter((row) => !SUM.test(row.find((cell) => cell !== '') ?? ''));
  return name === WITHOUT_HEADER ? [[], ...data] : data;
}

/** A cell without what the clean versions write in another way: characters beyond ASCII, a missing value, and one number. */
function plain(cell: string): string {
  const own = trimmed(cell.replace(/\P{ASCII}+/gu, ''));
  if (own === 'missing') return '';
  return own === '0.\\' ? '0.0' : own;
}
