// Measures the console.
import { FULL_SIZE, fileOf, QUICK_SIZE } from '../../../infra/testing/benches/import/file.ts';
import { endWithout, readBenchOptions } from '../../../infra/testing/benches/options.ts';
import { report, say } from '../../../infra/testing/benches/report.ts';
import { ServiceProcess } from '../../../infra/tools/service-process/service-process.ts';
import { findChromium, NO_CHROMIUM } from '../chromium.ts';
import { OpenConsole } from '../open-console.ts';
import { type SceneData, seedScenes } from '../scene-data.ts';
import type { Seeds } from '../seeds.ts';
import { EMPTY_PAGE, loadCold } from './cold-load.ts';
import { besideBaseline, capital, type Figures, medians, type Round } from './figures.ts';
import { type MeasuredPage, measuredPages } from './measured-pages.ts';
import { changeToStatic, tour } from './page-change.ts';
import { shiftOnPhone } from './phone-shift.ts';
import { scrollPlain, scrollTable } from './scroll.ts';
import { checkFaults, VIEWPORT } from './visits.ts';

const HELP = `
npm run bench:console -- OPTIONS

Measures the console in headless Chromium on the real service: loading a page with empty caches, changing to another page with its data
in the cache, scrolling the table of a full-size import, and what moves on a phone while a page loads. Each stands beside a baseline in the same run. It asserts nothing, because
the figures depend on the machine. The targets on an idle one: a page is usable within 1 s of a cold load and within 100 ms of a click
on its link, no frame of a scroll takes over 50 ms, and the layout shift of each page on a phone is at most 0.02.

  --rounds 5       rounds that count; more give quieter figures
`;

const TARGETS = {
  changeImportMs: { atMost: 100 },
  scrollLateFrames: { atMost: 0 },
  phoneShiftMost: { atMost: 0.02 },
} as const;

/** A benchmark sends more than the requests of one person. */
const MANY = 1_000_000;
const LIMITS = { http: { managementPerMinute: MANY, uploadsPerMinute: MANY } };

const options = readBenchOptions(HELP, { rounds: { type: 'string' } });
const { quick } = options;
const count = Number(options.rounds ?? (quick ? 1 : 5));
const size = quick ? QUICK_SIZE : FULL_SIZE;
/** Rounds before those that count: the service's code is compiled, and the console's cache is filled. */
const WARM_UP_ROUNDS = quick ? 0 : 1;
/** One scroll from the first row to the last, far faster than a person reads. */
const SCROLL_SECONDS = quick ? 0.3 : 10;
if (findChromium() === null) endWithout(NO_CHROMIUM, options);

const console = await OpenConsole.start({
  environment: { LOG_LEVEL: 'error' },
  limits: LIMITS,
  hasSite: !quick,
  startService: ServiceProcess.start,
});
try {
  const data = quick ? await seedLittle(console.seeds) : await seedScenes(console.seeds, console.site);
  const importId = await importFullSize(data);
  const pages = measuredPages(data.workspace, importId);
  say(`${pages.length} pages, ${size.rows} rows, ${count} rounds`);
  const parts = [
    await coldLoads(pages),
    await pageChanges(pages),
    await scrolls(importId, pages),
    await shifts(pages),
  ];
  report({
    bench: 'console',
    ours: Object.assign({}, ...parts.map(({ ours }) => ours)),
    ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
    targets: TARGETS,
  });
} finally {
  await console.close();
}

/** Seeds as little as the measured pages need. */
async function seedLittle(seeds: Seeds): Promise<Pick<SceneData, 'workspace' | 'ready'>> {
  const workspace = await seeds.workspace('seismic-catalogue');
  const ready = await seeds.import(workspace, 'ready');
  await seeds.owner.claim(workspace.workspaceId);
  await seeds.checklist(workspace);
  await seeds.key();
  return { workspace, ready };
}

/** Uploads and validates the longest file that a plan allows. Returns the id of the import. */
async function importFullSize({
  workspace: { agent },
  ready: { schema },
}: Pick<SceneData, 'workspace' | 'ready'>): Promise<string> {
  const importId = await console.seeds.importInto(agent, schema, await fileOf(size));
  const { status, rows } = await console.seeds.validate(agent, importId);
  if (rows.valid !== size.rows) throw new Error(`importing a full-size file: ${status}`);
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
  const scroll = { rows: size.rows, seconds: SCROLL_SECONDS };
  const plainRounds: Round[] = [];
  const rounds = await inRounds('scrolls', async () => {
    plainRounds.push({ ...(await scrollPlain(console, scroll)) });
    return { ...(await scrollTable(console, page, scroll)) };
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

/** The page that moves most on a phone. One that stands still is not beside a baseline. */
async function shifts(pages: readonly MeasuredPage[]): Promise<Figures> {
  const rounds = await inRounds('layout shifts', async () => {
    const sums: Record<string, number> = {};
    for (const page of pages) sums[page.name] = await shiftOnPhone(console, page);
    return sums;
  });
  const sums = medians(rounds);
  say(`layout shift on a phone: ${JSON.stringify(sums)}`);
  return { ours: { phoneShiftMost: Math.max(...Object.values(sums)) }, ratios: {} };
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
