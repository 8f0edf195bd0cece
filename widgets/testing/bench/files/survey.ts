import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import type { Table } from './person.ts';

export interface SurveyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: Table;
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
      expected: Papa.parse<string[]>(readFileSync(join(clean, name), 'utf8')).data,
    }));
}
