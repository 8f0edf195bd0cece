import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerInTurn } from './answers-in-turn.ts';
import { describeInBrowser } from './in-browser.ts';
import { type SceneData, seedScenes } from './scene-data.ts';
import { openPage, pathOf, SCENES, type Scene } from './scenes.ts';
import { SteadyControls } from './steady-controls.ts';

/** Bytes of a first load, as they are sent: page, scripts, styles, fonts, and the data that the page shows. */
const FIRST_LOAD_BYTES_MAX = 150 * 1_024;
/** Bytes of the code of one page with gzip, besides the main script. */
const CHUNK_BYTES_MAX = 40 * 1_024;

/** The window of a usual phone. */
const PHONE = { width: 390, height: 844 };
/** The layout shift of a page on a phone, whose head has lines that depend on the data. */
const PHONE_SHIFT_MAX = 0.02;

/** The pages of all scenes. A change to one afterwards, such as an open dialog, is no part of its first load. */
const PAGES = distinctPages(SCENES);

describe('the chunks of the console', () => {
  const assets = join(import.meta.dirname, '../dist/console/assets');
  const chunks = readdirSync(assets).filter((name) => name.endsWith('.js.gz') && !name.startsWith('index-'));

  it('are small', () => {
    const sizes = chunks.map((name) => ({ name, bytes: statSync(join(assets, name)).size }));
    expect(sizes).not.toEqual([]);
    expect(sizes.filter(({ bytes }) => bytes > CHUNK_BYTES_MAX)).toEqual([]);
  });
});

describeInBrowser(
  'the first load',
  ({ open, opened, seeds }) => {
    let data: SceneData;
    beforeAll(async () => {
      data = await seedScenes(seeds(), opened().site);
    });

    it.each(PAGES.map((scene) => [scene.name, scene] as const))(
      'of %s keeps to its budget, and nothing on it moves',
      async (_name, scene) => {
        const { page } = await open({ cookie: data.cookies[scene.visitor ?? 'owner'] });
        const requests: Request[] = [];
        page.on('requestfinished', (request) => requests.push(request));
        await watchShifts(page);
        await openPage(scene, page, data);
        await page.waitForLoadState('networkidle');
        const sizes = await Promise.all(requests.map(sizeOf));
        const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
        // Less would mean that files or data were not counted.
        expect(total).toBeGreaterThan(10 * 1_024);
        const answers = sizes.filter(({ path }) => path.startsWith('/v1/'));
        if (scene.visitor !== 'anyone') expect(answers.some(({ bytes }) => bytes > 0)).toBe(true);
        expect(await shiftsOf(page)).toEqual([]);
      },
    );

    it.each(
      PAGES.flatMap((scene) =>
        (['first asked', 'last asked'] as const).map((turn) => [scene.name, turn, scene] as const),
      ),
    )('of %s does not move when answers come singly, the %s first', async (_name, turn, scene) => {
      const { page } = await open({ cookie: data.cookies[scene.visitor ?? 'owner'] });
      await watchShifts(page);
      const controls = new SteadyControls(page);
      await answerInTurn(page, turn, () => controls.look());
      await openPage(scene, page, data);
      // An answer that nothing waits for visibly may still be held.
      await page.waitForLoadState('networkidle');
      expect([await shiftsOf(page), controls.found]).toEqual([[], []]);
    });
    it.each(PAGES.map((scene) => [scene.name, scene] as const))(
      'of %s hardly moves on a phone when answers come singly',
      async (_name, scene) => {
        const { page } = await open({ cookie: data.cookies[scene.visitor ?? 'owner'], viewport: PHONE });
        await watchShifts(page);
        await answerInTurn(page, 'first asked', async () => undefined);
        await openPage(scene, page, data);
        await page.waitForLoadState('networkidle');
        const shifts = await shiftsOf(page);
        const sum = shifts.reduce((total, shift) => total + Number.parseFloat(shift), 0);
        expect(sum, shifts.join('\n')).toBeLessThanOrEqual(PHONE_SHIFT_MAX);
      },
    );

    it.each(inWorkspace(PAGES).map((scene) => [scene.name, scene] as const))(
      'of %s from another tab keeps the tabs, and takes the focus to its title',
      async (_name, scene) => {
        const { page } = await open({ cookie: data.cookies[scene.visitor ?? 'owner'] });
        const path = pathOf(scene, data);
        const overview = path.split('/').slice(0, 3).join('/');
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // The code of the page is loaded, and its data are not.
        await page.goto(overview);
        await page.getByRole('heading', { name: 'Danger' }).waitFor();
        const controls = new SteadyControls(page, { takesFocus: false });
        const answers = Promise.withResolvers<void>();
        await page.route('**/v1/**', async (route) => {
          await answers.promise;
          await route.continue();
        });
        await page.evaluate((to) => history.pushState(null, '', to), path);
        await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
        await controls.look();
        expect(await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link').count()).toBe(6);
        answers.resolve();
        await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
        await controls.look();
        expect(controls.found).toEqual([]);
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      },
    );
  },
  { hasSite: true },
);

/** The pages below the overview of a workspace. */
function inWorkspace(scenes: readonly Scene[]): Scene[] {
  return scenes.filter(({ name }) => /^(import|schema|checklist|feedback|check)/.test(name));
}

/** The first scene of each page and visitor. */
function distinctPages(scenes: readonly Scene[]): Scene[] {
  return scenes.filter(
    ({ path, visitor }, at) =>
      scenes.findIndex((each) => each.path === path && each.visitor === visitor) === at,
  );
}

async function sizeOf(request: Request): Promise<{ path: string; bytes: number }> {
  return { path: new URL(request.url()).pathname, bytes: (await request.sizes()).responseBodySize };
}

/** A source of a layout shift: an element, and its visible part before and after. */
interface Moved {
  readonly node: Node | null;
  readonly previousRect: DOMRectReadOnly;
  readonly currentRect: DOMRectReadOnly;
}

async function shiftsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => Reflect.get(globalThis, 'shifts'));
}

/** Notes every layout shift of the page from its beginning. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Reflect.set(globalThis, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const moved: Moved[] = Reflect.get(entry, 'sources');
        const texts = moved.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`,
        );
        shifts.push(`${Reflect.get(entry, 'value')}: ${texts.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
