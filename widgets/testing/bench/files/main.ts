// Counts the files that arrive with the right table after the corrections of the import widget.
import { endWithout, readBenchOptions } from '../../../../infra/testing/benches/options.ts';
import { report, say } from '../../../../infra/testing/benches/report.ts';
import { findChromium, NO_CHROMIUM } from '../../chromium.ts';
import { CORPUS } from './corpus.ts';
import { MADE } from './made.ts';
import { type Expected, importParts, importSuggested, type Outcome, trimmed } from './person.ts';
import { PROGRAMS } from './programs.ts';
import { surveyFiles } from './survey.ts';
import { WidgetDriver } from './widget-driver.ts';

const HELP = `
npm run bench:files -- OPTIONS

Counts which files arrive with the table that is in them, after the changes that a person makes who knows that table. The changes are
those that the import widget offers. It has files of the shapes that programs and people write, and takes the real files of a survey:
a checkout of https://github.com/HPI-Information-Systems/Pollock has them in survey_sample/csv, and their tables in survey_sample/clean.
A file with more rows than the plan allows takes several imports. "In part" has the right values in the columns that are allowed; the
person has left the others out. "Ticks" counts those that are right if no box is changed. "Silent" counts those that arrive otherwise
then, without a row that is refused or a box without a tick on screen. "Made" are files of many languages, and exports of banks, shops,
statistics offices and loggers, compared with the table that a careful reader sees. The run fails if a shape or a made file does not arrive, or one is silent.

  --folder PATH    a checkout of the survey
  --widget         sends each file through the widget in headless Chromium too, and compares the bytes that arrive
`;

const options = readBenchOptions(HELP, {
  folder: { type: 'string' },
  widget: { type: 'boolean', default: false },
});
if (options.widget && findChromium() === null) endWithout(NO_CHROMIUM, options);

const NO_TABLE: Expected = { rows: [], plain: trimmed, hasNames: false };

interface Case {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: Expected | null;
}

const driver = options.widget ? await WidgetDriver.start() : null;
try {
  const shapes = { ...(await run('shapes', CORPUS)), ...(await run('made', [...MADE, ...PROGRAMS])) };
  const survey = options.folder === undefined ? {} : await run('survey', surveyFiles(options.folder));
  report({ bench: 'files', ours: { ...shapes, ...survey }, ratios: {} });
  const isFault = ([name, count]: [string, number]) => /Wrong|Silent/.test(name) && count > 0;
  if (Object.entries(shapes).some(isFault)) process.exitCode = 1;
} finally {
  await driver?.close();
}

/** Imports files, and says of each how it arrives. */
async function run(group: string, files: readonly Case[]): Promise<Record<string, number>> {
  const counts = { Right: 0, InPart: 0, Refused: 0, Wrong: 0, Ticks: 0, Silent: 0 };
  for (const { name, bytes, expected } of files) {
    const suggested = importSuggested(bytes, expected ?? NO_TABLE);
    if (suggested.kind === 'right') counts.Ticks += 1;
    if (suggested.isSilent) counts.Silent += 1;
    const { counted, words } = await imported(bytes, expected);
    counts[counted] += 1;
    const mark = suggested.isSilent ? 'Silent' : counted;
    say(`${mark.padEnd(8)} ${name.slice(0, 44).padEnd(45)} ${words.slice(0, 90)}`);
  }
  return Object.fromEntries(Object.entries(counts).map(([kind, count]) => [`${group}${kind}`, count]));
}

/** Imports a file with the choices of a person, also through the widget if there is one. */
async function imported(bytes: Uint8Array, expected: Expected | null) {
  const parts = importParts(bytes, expected ?? NO_TABLE);
  const outcome = parts.find((part) => part.kind !== 'right') ?? (parts[0] as Outcome);
  const counted = kindOf(outcome, expected);
  // Of many parts, those between the first and the last one differ in nothing.
  const sent = new Set([outcome, parts.at(-1) ?? outcome]);
  for (const part of counted === 'Right' || counted === 'InPart' ? sent : []) {
    const words = await driver?.differenceOf(bytes, part);
    if (words !== undefined) return { counted: 'Wrong' as const, words };
  }
  return { counted, words: outcome.words };
}

function kindOf(
  { kind, words }: Outcome,
  expected: Expected | null,
): 'Right' | 'InPart' | 'Refused' | 'Wrong' {
  // A file without rows has no table.
  const isRefused =
    expected === null || expected.rows.filter((row) => row.some((cell) => cell !== '')).length < 2;
  if (kind === 'refused') return isRefused ? 'Refused' : 'Wrong';
  if (kind === 'otherwise' || isRefused) return 'Wrong';
  return /\bcolumns\b/.test(words) ? 'InPart' : 'Right';
}
