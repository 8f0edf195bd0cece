// Counts the files that arrive with the right table after the corrections of the import widget.
import { endWithout, readBenchOptions } from '../../../../infra/testing/benches/options.ts';
import { report, say } from '../../../../infra/testing/benches/report.ts';
import { findChromium, NO_CHROMIUM } from '../../chromium.ts';
import { CORPUS } from './corpus.ts';
import { MADE } from './made.ts';
import {
  csvOf,
  type Expected,
  importParts,
  importUnasked,
  isAsked,
  isTaken,
  type Outcome,
  trimmed,
} from './person.ts';
import { PROGRAMS } from './programs.ts';
import { surveyFiles } from './survey.ts';
import { fetchSurvey, SURVEY, SURVEY_CACHE } from './survey-source.ts';
import { WidgetDriver } from './widget-driver.ts';

const HELP = `
npm run bench:files -- OPTIONS

Counts which files arrive with the table that a careful reader sees in them. There are three groups of files:

  survey           real files, fetched once with git into .cache/survey: those of survey_sample/csv in
                   ${SURVEY.url}, with their tables in survey_sample/clean
  made             files of the shapes that programs and people write, in many languages, with the table of each beside it
  sound            the tables of made files as plain CSV, in which nothing has to be changed

Of each group it prints how many files arrive right without a question, how many after the decisions of a person who knows the table,
and how many lost something without a person: with another table, and without a row that is refused. A file that has to be refused is
right if it is. Of a file with too many columns, a part is right by choice; more rows than the plan allows take several imports. The
run fails if less than 97 % of a group arrive right after the questions, or one lost something.

  --folder PATH    a checkout of the survey, instead of the one that is fetched
  --widget         sends each file through the widget in headless Chromium too, and compares the bytes that arrive
`;

const options = readBenchOptions(HELP, {
  folder: { type: 'string' },
  widget: { type: 'boolean', default: false },
});
if (options.widget && findChromium() === null) endWithout(NO_CHROMIUM, options);

/** The least share of files that arrive right after the decisions of a person. */
const RIGHT_SHARE_MIN = 0.97;

const NO_TABLE: Expected = { rows: [], plain: trimmed, hasNames: false };

interface Case {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: Expected | null;
}

/** The tables of files as plain CSV, of those that the service takes as they are. */
function soundFiles(files: readonly Case[]): Case[] {
  return files.flatMap(({ name, expected }) => {
    const bytes = Buffer.from(expected === null ? '' : csvOf(expected.rows));
    return isTaken(bytes) ? [{ name, bytes, expected }] : [];
  });
}

const driver = options.widget ? await WidgetDriver.start() : null;
try {
  const made: readonly Case[] = [...CORPUS, ...MADE, ...PROGRAMS];
  const sound = soundFiles(made);
  const survey = surveyFolder(options.folder);
  const groups = {
    ...(survey !== null && { survey: await run(surveyFiles(survey)) }),
    made: await run(made),
    sound: await run(sound),
  };
  const asked = sound.filter(({ bytes }) => isAsked(bytes));
  for (const { name } of asked) say(`Asked    ${name}`);
  const ours = Object.entries(groups).flatMap(([group, counts]) =>
    Object.entries(counts).map(([figure, count]) => [`${group}${figure}`, count] as const),
  );
  report({ bench: 'files', ours: { ...Object.fromEntries(ours), soundAsked: asked.length }, ratios: {} });
  const all = Object.values(groups);
  const areRight = all.every(
    ({ Files, RightAfterQuestions }) => RightAfterQuestions >= RIGHT_SHARE_MIN * Files,
  );
  if (!areRight || all.some(({ Lost }) => Lost > 0)) process.exitCode = 1;
} finally {
  await driver?.close();
}

/** The folder of the survey, or null if it cannot be had. */
function surveyFolder(chosen: string | undefined): string | null {
  if (chosen !== undefined || options.quick) return chosen ?? null;
  const survey = fetchSurvey(SURVEY, SURVEY_CACHE);
  if (survey.kind === 'folder') return survey.folder;
  say(`leaves the survey out: it is not in ${SURVEY_CACHE} and cannot be fetched (${survey.reason})`);
  return null;
}

/** Imports files, and says of each how it arrives. */
async function run(files: readonly Case[]) {
  const counts = { Files: files.length, RightUnasked: 0, RightAfterQuestions: 0, Lost: 0 };
  for (const { name, bytes, expected } of files) {
    const unasked = importUnasked(bytes, expected ?? NO_TABLE);
    const isRight = !isAsked(bytes) && kindOf(unasked, expected) !== 'Wrong';
    if (isRight) counts.RightUnasked += 1;
    if (unasked.isLost) counts.Lost += 1;
    const { counted, words } = await imported(bytes, expected);
    if (counted !== 'Wrong') counts.RightAfterQuestions += 1;
    const mark = unasked.isLost ? 'Lost' : isRight || counted === 'Wrong' ? counted : 'Choice';
    say(`${mark.padEnd(8)} ${name.slice(0, 44).padEnd(45)} ${words.slice(0, 90)}`);
  }
  return counts;
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
