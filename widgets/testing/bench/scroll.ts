import type { Browser, Page } from 'playwright-core';
import { percentile } from '../../../infra/testing/benches/report.ts';
import type { OpenConsole } from '../open-console.ts';
import { tasksDuring, total } from './main-thread.ts';
import type { MeasuredPage } from './measured-pages.ts';
import { checkFaults, VIEWPORT } from './visits.ts';

/** Frames that take longer are late. */
const LATE_MS = 50;

/** The height of a row of the table, in pixels: the lines of the plain page have it too. */
const ROW_PX = 32;

/** One scroll from the first row to the last. */
export interface Scroll {
  readonly rows: number;
  readonly seconds: number;
}

/** The figures of one scroll. */
export interface ScrollFigures {
  readonly lateFrames: number;
  readonly longestFrameMs: number;
  readonly longestTaskCpuMs: number;
  /** One task of a hundred takes longer. */
  readonly p99TaskCpuMs: number;
  /** The share of one core that the main thread takes. */
  readonly mainThreadCorePercent: number;
}

/** Scrolls the table of an import by the wheel. Its rows are read from the service meanwhile. */
export async function scrollTable(
  console: OpenConsole,
  { path, content }: MeasuredPage,
  { rows, seconds }: Scroll,
): Promise<ScrollFigures> {
  const { page, context, faults } = await console.visit({ viewport: VIEWPORT });
  try {
    await page.goto(path);
    await page.locator(content).waitFor();
    await page.waitForLoadState('networkidle');
    const figures = await scroll(console.browser, page, '.rows.window', seconds);
    // The head counts as the first row. Without the last one, the scroll did not reach the end, and its figures say nothing.
    await page.locator(`[aria-rowindex="${rows + 1}"]:not([aria-busy])`).waitFor();
    checkFaults(faults);
    return figures;
  } finally {
    await context.close();
  }
}

/** Scrolls as many plain lines of the same height. */
export async function scrollPlain(
  { browser }: OpenConsole,
  { rows, seconds }: Scroll,
): Promise<ScrollFigures> {
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  try {
    const lines = Array.from({ length: rows }, (_, row) => `<p>Line ${row + 1}</p>`);
    await page.setContent(
      `<style>#plain{height:70vh;overflow:auto}p{height:${ROW_PX}px;margin:0}</style>
      <div id="plain">${lines.join('')}</div>`,
    );
    return await scroll(browser, page, '#plain', seconds);
  } finally {
    await page.close();
  }
}

async function scroll(
  browser: Browser,
  page: Page,
  selector: string,
  seconds: number,
): Promise<ScrollFigures> {
  const scroller = page.locator(selector);
  await scroller.scrollIntoViewIfNeeded();
  const box = await scroller.boundingBox();
  if (box === null) throw new Error(`scrolling ${selector}, which is not visible`);
  const distance = await scroller.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  const devTools = await page.context().newCDPSession(page);
  let frames: readonly number[] = [];
  const tasks = await tasksDuring(browser, page, async () => {
    const stop = await countFrames(page);
    await devTools.send('Input.synthesizeScrollGesture', {
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
      yDistance: -distance,
      speed: Math.round(distance / seconds),
      gestureSourceType: 'mouse',
    });
    frames = await stop();
  });
  return {
    lateFrames: frames.filter((ms) => ms > LATE_MS).length,
    longestFrameMs: Math.max(...frames),
    longestTaskCpuMs: Math.max(...tasks),
    p99TaskCpuMs: percentile(tasks, 0.99),
    mainThreadCorePercent: (total(tasks) / total(frames)) * 100,
  };
}

/** Notes the duration of each frame of the main thread from now on. Resolves with a function that ends it and returns them, in ms. */
async function countFrames(page: Page): Promise<() => Promise<readonly number[]>> {
  const frames = await page.evaluateHandle(() => {
    const counted = { durations: [] as number[], isCounting: true };
    const next = (before: number) => (at: number) => {
      counted.durations.push(at - before);
      if (counted.isCounting) requestAnimationFrame(next(at));
    };
    requestAnimationFrame((at) => requestAnimationFrame(next(at)));
    return counted;
  });
  return () =>
    frames.evaluate((counted) => {
      counted.isCounting = false;
      return counted.durations;
    });
}
