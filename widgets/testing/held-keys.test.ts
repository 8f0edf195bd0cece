import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { moveFeedback } from './feedback-seeds.ts';
import { describeInBrowser } from './in-browser.ts';
import {
  actsAmong,
  BUTTONS,
  effect,
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

/** The single keys that act or lead to an act somewhere. */
const SHORTCUTS = [...'adehnosz'];

/** The scenes in which a single key acts. */
const KEYED: readonly Scene[] = PRESSED.filter(({ name }) => /^feedback-(submission|held)$/.test(name));

/** The messages that the scenes open, by their places among the seeds, with their states. */
const MESSAGES = [
  [1, 'held'],
  [3, 'open'],
] as const;

/** The pause between two presses of one key, in milliseconds. */
const GAP_MS = 80;

/** Repeats of a held key before its first effect, and after it. */
const REPEATS = 3;

/** The keys that press a button. Each button gets one of them, and its neighbours the other. */
const KEYS = ['Enter', 'Space'];

/** A button of a scene, and the key that is held on it. */
interface Held {
  readonly index: number;
  readonly word: string;
  readonly key: string;
}

describeInBrowser(
  'a key',
  ({ opened, seeds }) => {
    let data: SceneData;
    let context: BrowserContext;
    beforeAll(async () => {
      data = await seedScenes(seeds(), opened().site);
      context = await arrive();
    });

    /** A person in a separate session: a press that ends it ends no other test. */
    async function arrive(): Promise<BrowserContext> {
      const { context: separate, page } = await opened().visit({ cookie: await seeds().signIn() });
      await page.close();
      return separate;
    }

    /** Shows a scene, does something on it, and returns the acts that the page has sent. */
    async function actsOf(scene: Scene, press: (page: Page) => Promise<void>): Promise<readonly Sent[]> {
      const page = await context.newPage();
      await shown(scene, page, data);
      const sent = noteChanges(page);
      await stopClock(page, SETTLED_MS);
      await press(page);
      await effect(page, sent);
      const acts = actsAmong(await Promise.all(sent));
      await page.close();
      if (sent.length === 0) return acts;
      await context.close();
      context = await arrive();
      return acts;
    }

    /** Brings the messages that the scenes open into their states, which a key may have changed. */
    async function restore(): Promise<void> {
      const { workspace, feedback } = data;
      for (const [at, state] of MESSAGES) {
        await moveFeedback(seeds(), workspace, feedback.widgetId, feedback.submissionIds[at] ?? '', state);
      }
    }

    /** Holds a key down, beyond the effect of its press. */
    async function hold(page: Page, key: string): Promise<void> {
      const sent = noteChanges(page);
      for (let repeat = 0; repeat <= REPEATS; repeat += 1) await page.keyboard.down(key);
      await effect(page, sent);
      await stopClock(page, SETTLED_MS);
      for (let repeat = 0; repeat < REPEATS; repeat += 1) await page.keyboard.down(key);
      await page.keyboard.up(key);
    }

    /** Presses a key twice within a short time. */
    async function pressTwice(page: Page, key: string): Promise<void> {
      await page.keyboard.press(key);
      await stopClock(page, GAP_MS);
      await page.keyboard.press(key);
    }

    /** Holds a key on a button of a scene. The page that its press opens gets no act of it. */
    async function heldOn(scene: Scene, { index, word, key }: Held) {
      let most = 1;
      const acts = await actsOf(scene, async (page) => {
        const dialogs = page.locator('dialog[open]');
        const before = await dialogs.count();
        // An earlier press may have changed the page.
        if ((await wordsOf(page.locator(BUTTONS)))[index] !== word) return;
        const button = page.locator(BUTTONS).nth(index);
        await button.focus();
        // Behind a dialog, no button takes the focus.
        if (!(await button.evaluate((element) => element === document.activeElement))) return;
        await hold(page, key);
        if ((await dialogs.count()) > before) most = 0;
      });
      return { acts, most };
    }

    it.each(KEYED.flatMap((scene) => SHORTCUTS.map((key) => [key, scene.name, scene] as const)))(
      'that is a shortcut does one act while it is held, and if it is pressed twice: %s on %s',
      async (key, _name, scene) => {
        for (const press of [hold, pressTwice]) {
          await restore();
          const acts = await actsOf(scene, (page) => press(page, key));
          expect(acts.length, acts.map(({ what }) => what).join(', ')).toBeLessThanOrEqual(1);
        }
      },
    );

    it.each(PRESSED.map((scene, at) => [scene.name, scene, at] as const))(
      'that is held on each button of %s does one act, and none in what the press opens',
      async (_name, scene, at) => {
        const found: string[] = [];
        const page = await context.newPage();
        await shown(scene, page, data);
        const words = await wordsOf(page.locator(BUTTONS));
        await page.close();
        for (const [index, word] of words.entries()) {
          if (word === null || words.indexOf(word) !== index) continue;
          const { acts, most } = await heldOn(scene, {
            index,
            word,
            key: KEYS[(at + index) % KEYS.length] ?? '',
          });
          if (acts.length > most) found.push(`“${word}”: ${acts.map(({ what }) => what).join(', ')}`);
          // The message or the row that the scene opens may be in another state now.
          if (acts.length > 0 && scene.act !== undefined) break;
        }
        expect(found).toEqual([]);
      },
    );
  },
  { hasSite: true },
);
