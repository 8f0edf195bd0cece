// Measures the examination of a file in the import widget, and in the client library.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { examine } from '../../../cli/client/examine.ts';
import { endWithout, readBenchOptions } from '../../../infra/testing/benches/options.ts';
import { percentile, report, say } from '../../../infra/testing/benches/report.ts';
import type { examineFile } from '../../import/fix/main.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../chromium.ts';
import { tasksDuring, total } from './main-thread.ts';

const MODULE = join(import.meta.dirname, '../../dist/widgets/svcimport-fix-v0.1.0.js');

const HELP = `
npm run bench:fix -- OPTIONS

Measures what the examination of a file of the largest size takes, by the import widget in headless Chromium and by the client library
in Node: the median of rounds, and the longest task of the page's thread of all rounds, in CPU time. A ratio compares the time with
that of a page which only decodes the same bytes and splits them at separators. It asserts nothing, because the figures depend on the
machine. The targets: 1.5 s for each file, and no task over 12 ms.

  --rounds 5       rounds that count; more give quieter figures
  --only short     files, by their names in the figures; all by default
`;

const CELLS = 'Große Straße 5;12,50;2026-08-01;'.repeat(15);
const FIELDS = Array.from({ length: 45 }, (_, at) => `Feld ${at}`).join(';');
const TEXT = 'High Street, 5 '.repeat(30);

/** Files of the shapes that take longest: each has a header, and one row again and again. */
const FILES = {
  // Every row is written again: 10,000 rows, and far more than a plan allows.
  corrected: { header: `Bericht\nId;${FIELDS};;\n`, row: `4711;${CELLS};\n` },
  short: {
    header: 'Bericht\nId;Straße;Menge;Tag;Bemerkung;;\n',
    row: '4711;Große Straße 5;12,50;2026-08-01;keine Angaben;;\n',
  },
  sound: { header: 'Id,Street,Amount,Day\n', row: `4711,"${TEXT}",12.50,2026-08-01\n` },
  narrow: { header: 'code,amount,name\n', row: 'A-4711,12.50,Ada Lov.\n' },
  pages: { header: 'code,page\n', row: '4711,"<a href=""/"" class=""x"">more</a>"\n' },
  totals: {
    header: 'name;a;b\n',
    row: `${'Ada Lovelace, London;4;2\n'.repeat(20)}Total of London;80;40\n`,
  },
  wrapped: { header: '"code,name,amount"\n', row: '"4711,""Ada, Lovelace"",12.50"\n' },
  wide: { header: `${'a,'.repeat(900)}b\n`, row: `${'1.25,'.repeat(900)}9\n` },
} as const;

const options = readBenchOptions(HELP, { rounds: { type: 'string' }, only: { type: 'string' } });
const { quick } = options;
const only = options.only?.split(',');
const rounds = Number(options.rounds ?? (quick ? 1 : 5));
/** Rounds before those that count: the engine compiles the code. */
const WARM_UP_ROUNDS = quick ? 0 : 2;
const FILE_BYTES = (quick ? 0.25 : 5) * 1_024 * 1_024;
/** More rows than a file has. */
const ROWS_MAX = 10_000_000;
const MS_MAX = 1_500;
const TASK_MS_MAX = 12;
const browser = await launchChromium(findChromium() ?? endWithout(NO_CHROMIUM, options));
const ours: Record<string, number> = {};
const ratios: Record<string, number> = {};
const targets: Record<string, { readonly atMost: number }> = {};
try {
  say(`${FILE_BYTES} bytes, ${rounds} rounds`);
  for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
    if (only?.includes(name) === false) continue;
    const { cpu, longest, ratio } = await measure(name);
    ours[`${name}Ms`] = cpu;
    ours[`${name}NodeMs`] = await measureInNode(name);
    ours[`${name}LongestTaskMs`] = longest;
    for (const figure of [`${name}Ms`, `${name}NodeMs`]) targets[figure] = { atMost: MS_MAX };
    targets[`${name}LongestTaskMs`] = { atMost: TASK_MS_MAX };
    ratios[`decode-split-${name}`] = ratio;
  }
  report({ bench: 'fix', ours, ratios, targets });
} finally {
  await browser.close();
}

/** The medians of the CPU time, in milliseconds, and of the ratio to the baseline, and the longest task. */
async function measure(name: keyof typeof FILES) {
  // Garbage of another file or of the baseline would be collected in tasks of the examination. Each page here has a process.
  const page = await prepared(name);
  const baselinePage = await prepared(name);
  const cpu: number[] = [];
  const ratio: number[] = [];
  let longest = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    let time = 0;
    const tasks = await tasksDuring(browser, page, async () => {
      time = await page.evaluate('examineOnce()');
    });
    const baseline: number = await baselinePage.evaluate('decodeOnce()');
    if (round < WARM_UP_ROUNDS) continue;
    cpu.push(total(tasks));
    ratio.push(time / baseline);
    longest = Math.max(longest, ...tasks);
  }
  for (const each of [page, baselinePage]) await each.close();
  return { cpu: percentile(cpu, 0.5), ratio: percentile(ratio, 0.5), longest };
}

/** The median of the CPU time that the client library takes, in milliseconds. */
async function measureInNode(name: keyof typeof FILES): Promise<number> {
  const bytes = Buffer.from(textOf(name), 'latin1');
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const begun = process.threadCpuUsage();
    await examine(bytes, { rowsMax: ROWS_MAX });
    const { user, system } = process.threadCpuUsage(begun);
    if (round >= WARM_UP_ROUNDS) times.push((user + system) / 1_000);
  }
  return percentile(times, 0.5);
}

function textOf(name: keyof typeof FILES): string {
  const { header, row } = FILES[name];
  return header + row.repeat(Math.floor((FILE_BYTES - header.length) / row.length));
}

/** Opens an empty page with the module and the bytes of a file. */
async function prepared(name: keyof typeof FILES): Promise<Page> {
  const page = await browser.newPage();
  const module = `data:text/javascript;base64,${readFileSync(MODULE).toString('base64')}`;
  await page.goto('about:blank');
  await page.evaluate(
    async ({ url, text, rows }) => {
      const module = (await import(url)) as { examineFile: typeof examineFile };
      // Every character is one byte in Windows-1252.
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const decodeOnce = (): number => {
        const begun = performance.now();
        const lines = new TextDecoder('windows-1252')
          .decode(bytes)
          .split('\n')
          .map((line) => line.split(/[;,]/));
        return lines.length > 1 ? performance.now() - begun : Number.NaN;
      };
      const examineOnce = async (): Promise<number> => {
        const begun = performance.now();
        await module.examineFile(
          bytes,
          { agreed: new Map() },
          { rows, columns: 1_000 },
          new AbortController().signal,
        );
        return performance.now() - begun;
      };
      Object.assign(globalThis, { decodeOnce, examineOnce });
    },
    { url: module, text: textOf(name), rows: ROWS_MAX },
  );
  return page;
}
