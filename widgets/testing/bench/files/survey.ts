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

function tableOf(name: string, clean: string): string[][] {
  const { data } = Papa.parse<string[]>(clean);
  return name === WITHOUT_HEADER ? [[], ...data] : data;
}

/** A cell without what the clean versions write in another way: characters beyond ASCII, a missing value, and one number. */
function plain(cell: string): string {
  const own = trimmed(cell.replace(/\P{ASCII}+/gu, ''));
  if (own === 'missing') return '';
  return own === '0.\\' ? '0.0' : own;
}
