import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './in-browser.ts';
import {
  actsAmong,
  BUTTONS,
  effect,
  FRAME_BUTTONS,
  noteChanges,
  PRESSED,
  SETTLED_MS,
  type Sent,
  shown,
  stopClock,
  wordsOf,
} from './presses.ts';
import { type SceneData, seedScenes } from './scene-data.ts';
import type { Scene } from './scenes.ts';

/**
 * The pauses before the second half of a double press: after the first half, and again after the effect of the first half was seen.
 * Each control gets one of them, and its neighbours others.
 */
const GAPS_MS = [0, 80, 160, 250, 400];

/** One button of a scene, and the pause between both halves. */
interface Press {
  readonly selector: string;
  readonly index: number;
  readonly word: string;
  readonly gapMs: number;
}

describeInBrowser(
  'a double press',
  ({ opened, seeds }) => {
    let data: SceneData;
    /** The presses so far, with the changes that each has sent. */
    const presses: { readonly name: string; readonly acts: readonly Sent[] }[] = [];
    beforeAll(async () => {
      data = await seedScenes(seeds(), opened().site);
    });

    /** A person in a separate session: a press that ends it ends no other test. */
    async function arrive(): Promise<BrowserContext> {
      const { context, page } = await opened().visit({ cookie: await seeds().signIn() });
      await page.close();
      return context;
    }

    async function opening(scene: Scene, context: BrowserContext): Promise<Page> {
      const page = await context.newPage();
      await shown(scene, page, data);
      return page;
    }

    /** Presses one button of a scene twice, if an earlier press has left it there. Returns what was sent. */
    async function pressed(
      scene: Scene,
      context: BrowserContext,
      { selector, index, word, gapMs }: Press,
    ): Promise<Sent[]> {
      const page = await opening(scene, context);
      const isThere = (await wordsOf(page.locator(selector)))[index] === word;
      const sent = isThere ? await pressTwice(page, page.locator(selector).nth(index), gapMs) : [];
      await page.close();
      return sent;
    }

    /** The buttons of a scene. Those of further rows do the same as those of the first one. */
    async function buttonsOf(scene: Scene, at: number, context: BrowserContext): Promise<Press[]> {
      const selector = at === 0 ? `${BUTTONS}, ${FRAME_BUTTONS}` : BUTTONS;
      const page = await opening(scene, context);
      const words = await wordsOf(page.locator(selector));
      await page.close();
      return words.flatMap((word, index) => {
        const gapMs = GAPS_MS[(at + index) % GAPS_MS.length] ?? 0;
        return word === null || words.indexOf(word) !== index ? [] : [{ selector, index, word, gapMs }];
      });
    }

    it.each(PRESSED.map((scene, at) => [scene.name, scene, at] as const))(
      'on each button of %s does one act',
      async (_name, scene, at) => {
        let context = await arrive();
        const found: string[] = [];
        for (const press of await buttonsOf(scene, at, context)) {
          const sent = await pressed(scene, context, press);
          if (sent.length > 0) {
            await context.close();
            context = await arrive();
          }
          const acts = actsAmong(sent);
          const name = `“${press.word}” after ${press.gapMs} ms`;
          presses.push({ name: `${scene.name}, ${name}`, acts });
          if (acts.length > 1) found.push(`${name}: ${acts.map(({ what }) => what).join(', ')}`);
          // The message or the row that the scene opens may be in another state now.
          if (acts.length > 0 && scene.act !== undefined) break;
        }
        await context.close();
        expect(found).toEqual([]);
      },
    );

    it('is one change in the audit log', async () => {
      const changed = new Set(await seeds().auditedRequests());
      const audited = presses.map(({ name, acts }) => ({
        name,
        acts: acts.filter(({ requestId }) => requestId !== null && changed.has(requestId)),
      }));
      expect(audited.filter(({ acts }) => acts.length > 1)).toEqual([]);
      // None at all would mean that the log was not read.
      expect(audited.some(({ acts }) => acts.length === 1)).toBe(true);
    });
  },
  { hasSite: true },
);

/**
 * Presses a place twice, and once more after the page shows the effect. Returns what was sent, besides plain reads, until all
 * presses had their effect. The clock of the page stands still, except for the pauses: a slow machine ends no guard early.
 */
async function pressTwice(page: Page, button: Locator, gapMs: number): Promise<Sent[]> {
  const sent = noteChanges(page);
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) return [];
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await stopClock(page, SETTLED_MS);
  await page.mouse.click(x, y);
  await page.waitForTimeout(gapMs);
  await page.mouse.click(x, y, { clickCount: 2 });
  await effect(page, sent);
  await stopClock(page, gapMs);
  await page.mouse.click(x, y, { clickCount: 3 });
  await effect(page, sent);
  return await Promise.all(sent);
}
