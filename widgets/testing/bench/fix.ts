// Measures the examination of a file in the import widget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { endWithout, readBenchOptions } from '../../../infra/testing/benches/options.ts';
import { percentile, report, say } from '../../../infra/testing/benches/report.ts';
import type { examineFile } from '../../import/fix/main.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../chromium.ts';
import { tasksDuring } from './main-thread.ts';

const MODULE = join(import.meta.dirname, '../../dist/widgets/svcimport-fix-v0.1.0.js');

const HELP = `
npm run bench:fix -- OPTIONS

Measures in headless Chromium for how long the import widget examines a file of the largest size, beside a page that only decodes the
same bytes and splits them at separators. It asserts nothing, because the figures depend on the machine. The targets on an idle one:
500 ms for a file of 10,000 rows, and no task of the page's thread over 50 ms.

  --rounds 9       rounds that count; more give quieter figures
`;

const CELLS = 'Große Straße 5;12,50;2026-08-01;'.repeat(15);

/** Files of which every row is written again, with 10,000 rows and with far more than a plan allows; and one that is sent as it is. */
const FILES = {
  corrected: {
    header: `Bericht\nId;${Array.from({ length: 45 }, (_, at) => `Feld ${at}`).join(';')};;\n`,
    row: `4711;${CELLS};\n`,
  },
  short: {
    header: 'Bericht\nId;Straße;Menge;Tag;Bemerkung;;\n',
    row: '4711;Große Straße 5;12,50;2026-08-01;keine Angaben;;\n',
  },
  sound: {
    header: 'Id,Street,Amount,Day\n',
    row: `4711,"${'High Street, 5 '.repeat(30)}",12.50,2026-08-01\n`,
  },
} as const;

const options = readBenchOptions(HELP, { rounds: { type: 'string' } });
const { quick } = options;
const rounds = Number(options.rounds ?? (quick ? 1 : 9));
/** Rounds before those that count: the browser compiles the code. */
const WARM_UP_ROUNDS = quick ? 0 : 2;
const FILE_BYTES = (quick ? 0.25 : 5) * 1_024 * 1_024;
const browser = await launchChromium(findChromium() ?? endWithout(NO_CHROMIUM, options));
try {
  const page = await browser.newPage();
  say(`${FILE_BYTES} bytes, ${rounds} rounds`);
  const sound = await measure(page, 'sound');
  const short = await measure(page, 'short');
  const corrected = await measure(page, 'corrected');
  const tasks = await tasksDuring(browser, page, async () => {
    await examineOnce(page);
  });
  report({
    bench: 'fix',
    ours: {
      correctedMs: corrected.ours,
      shortRowsMs: short.ours,
      soundMs: sound.ours,
      longestTaskMs: Math.max(...tasks),
    },
    ratios: {
      'decode-split-corrected': corrected.ours / corrected.baseline,
      'decode-split-short-rows': short.ours / short.baseline,
      'decode-split-sound': sound.ours / sound.baseline,
    },
  });
} finally {
  await browser.close();
}

/** The medians of the examination and of the baseline, in milliseconds. */
async function measure(page: Page, name: keyof typeof FILES): Promise<{ ours: number; baseline: number }> {
  await prepare(page, name);
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const times = [await examineOnce(page), await page.evaluate('decodeOnce()')] as [number, number];
    if (round < WARM_UP_ROUNDS) continue;
    ours.push(times[0]);
    baseline.push(times[1]);
  }
  return { ours: percentile(ours, 0.5), baseline: percentile(baseline, 0.5) };
}

/** Opens an empty page with the module and the bytes of a file. */
async function prepare(page: Page, name: keyof typeof FILES): Promise<void> {
  const module = `data:text/javascript;base64,${readFileSync(MODULE).toString('base64')}`;
  await page.goto('about:blank');
  await page.evaluate(
    async ({ url, header, row, size }) => {
      const module = (await import(url)) as { examineFile: typeof examineFile };
      const text = header + row.repeat(Math.floor((size - header.length) / row.length));
      // Every character is one byte in Windows-1252.
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const decodeOnce = (): number => {
        const begun = performance.now();
        const rows = new TextDecoder('windows-1252')
          .decode(bytes)
          .split('\n')
          .map((line) => line.split(/[;,]/));
        return rows.length > 1 ? performance.now() - begun : Number.NaN;
      };
      const examineOnce = async (): Promise<number> => {
        const begun = performance.now();
        await module.examineFile(
          bytes,
          { agreed: new Map() },
          { rows: 10_000_000, columns: 1_000 },
          new AbortController().signal,
        );
        return performance.now() - begun;
      };
      Object.assign(globalThis, { decodeOnce, examineOnce });
    },
    { url: module, size: FILE_BYTES, ...FILES[name] },
  );
}

async function examineOnce(page: Page): Promise<number> {
  return await page.evaluate('examineOnce()');
}
