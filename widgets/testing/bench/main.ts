// Measures the console in headless Chromium on the real service: loading a page with empty caches, changing to another page with its
// data in the cache, and scrolling the table of a full-size import. Each beside a baseline in the same run.
// `npm run bench:console`, with `-- --json` for programs and `-- --rounds 15` for quieter figures.
//
// It asserts nothing: the figures depend on the machine. On an idle one they should keep to these targets: a page is usable within
// 1 s of a cold load and within 100 ms of a click on its link, and no frame of a scroll takes over 50 ms.
import { parseArgs } from 'node:util';
import { FULL_SIZE, fullSizeFile } from '../../../infra/testing/benches/import/file.ts';
import { report, say } from '../../../infra/testing/benches/report.ts';
import { OpenConsole } from '../open-console.ts';
import { type SceneData, seedScenes } from '../scene-data.ts';
import { EMPTY_PAGE, loadCold } from './cold-load.ts';
import { besideBaseline, capital, type Figures, medians, type Round } from './figures.ts';
import { type MeasuredPage, measuredPages } from './measured-pages.ts';
import { changeToStatic, tour } from './page-change.ts';
import { scrollPlain, scrollTable } from './scroll.ts';
import { checkFaults, VIEWPORT } from './visits.ts';

/** Rounds before those that count: the service's code is compiled, and the console's cache is filled. */
const WARM_UP_ROUNDS = 1;

/** A benchmark sends more than the requests of one person. */
const MANY = 1_000_000;
const LIMITS = { http: { managementPerMinute: MANY, uploadsPerMinute: MANY } };

const options = { rounds: { type: 'string', default: '5' } } as const;
const count = Number(parseArgs({ options, strict: false }).values.rounds);

const console = await OpenConsole.start({
  environment: { LOG_LEVEL: 'error' },
  limits: LIMITS,
  hasSite: true,
});
try {
  const data = await seedScenes(console.seeds, console.site);
  const importId = await importFullSize(data);
  const pages = measuredPages(data.workspace, importId);
  say(`${pages.length} pages, ${FULL_SIZE.rows} rows, ${count} rounds`);
  const parts = [await coldLoads(pages), await pageChanges(pages), await scrolls(importId, pages)];
  report({
    bench: 'console',
    ours: Object.assign({}, ...parts.map(({ ours }) => ours)),
    ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
  });
} finally {
  await console.close();
}

/** Uploads and validates the longest file that a plan allows. Returns the id of the import. */
async function importFullSize({ workspace: { agent }, ready: { schema } }: SceneData): Promise<string> {
  const importId = await console.seeds.importInto(agent, schema, await fullSizeFile());
  const { status, rows } = await console.seeds.validate(agent, importId);
  if (rows.valid !== FULL_SIZE.rows) throw new Error(`importing a full-size file: ${status}`);
  return importId;
}

async function coldLoads(pages: readonly MeasuredPage[]): Promise<Figures> {
  const rounds = await inRounds('cold loads', async () => {
    const times: Record<string, number> = { baseline: await loadCold(console, EMPTY_PAGE) };
    for (const page of pages) times[page.name] = await loadCold(console, page);
    return times;
  });
  const { baseline = Number.NaN, ...ours } = medians(rounds);
  return besideBaseline('cold', ours, { name: 'empty-page', ms: baseline });
}

/** The rows of an import are private and stay in no cache, so that a change to its page includes reading them. */
async function pageChanges(pages: readonly MeasuredPage[]): Promise<Figures> {
  const { page, context, faults } = await console.visit({ viewport: VIEWPORT });
  try {
    // The link to the first page of a tour is on the last one.
    await page.goto(pages.at(-1)?.path ?? '/');
    const rounds = await inRounds('changes of page', async () => {
      const baseline = await changeToStatic(page);
      return { baseline, ...(await tour(page, pages)) };
    });
    checkFaults(faults);
    const { baseline = Number.NaN, ...ours } = medians(rounds);
    return besideBaseline('change', ours, { name: 'static-page', ms: baseline });
  } finally {
    await context.close();
  }
}

async function scrolls(importId: string, pages: readonly MeasuredPage[]): Promise<Figures> {
  const page = pages.find(({ path }) => path.endsWith(importId));
  if (page === undefined) throw new Error('scrolling the table of an import that is no page');
  const plainRounds: Round[] = [];
  const rounds = await inRounds('scrolls', async () => {
    plainRounds.push({ ...(await scrollPlain(console, FULL_SIZE.rows)) });
    return { ...(await scrollTable(console, page, FULL_SIZE.rows)) };
  });
  const ours = Object.entries(medians(rounds));
  const plain = medians(plainRounds.slice(WARM_UP_ROUNDS));
  say(`plain-page: ${JSON.stringify(plain)}`);
  // The plain page has no late frames to divide by.
  const compared = ours.filter(([name]) => name !== 'lateFrames');
  return {
    ours: Object.fromEntries(ours.map(([name, value]) => [`scroll${capital(name)}`, value])),
    ratios: Object.fromEntries(
      compared.map(([name, value]) => [`plain-page-${name}`, value / (plain[name] ?? Number.NaN)]),
    ),
  };
}

/** Runs the rounds one after the other. Resolves with what those have measured that count. */
async function inRounds(name: string, measure: () => Promise<Round>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + count; round += 1) {
    say(`${name}: ${round < WARM_UP_ROUNDS ? 'warming up' : `round ${round - WARM_UP_ROUNDS + 1}`}`);
    const measured = await measure();
    if (round >= WARM_UP_ROUNDS) rounds.push(measured);
  }
  return rounds;
}
