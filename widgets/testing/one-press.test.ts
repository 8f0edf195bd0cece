import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './in-browser.ts';
import { OPENED_SCENES } from './opened-scenes.ts';
import { type SceneData, seedScenes } from './scene-data.ts';
import { SCENES, type Scene, show } from './scenes.ts';

/** The pauses between both halves of a double press. Each control gets one of them, and its neighbours others. */
const GAPS_MS = [0, 80, 160, 250, 400];

/** Below the page of a scene: its own buttons, and those of a dialog or a menu that is open. */
const BUTTONS = 'main button:not([aria-disabled=true]):not([disabled]), dialog[open] button';

/** The buttons of the frame are the same on every page. */
const FRAME_BUTTONS = '.side button';

/** The text for the empty fields of an open form, by their type: its button sends them. */
const TYPED: Readonly<Record<string, string>> = {
  email: 'someone@northwind.example',
  url: 'https://press.example',
  password: 'a password that is long enough',
};

/** Reads that are sent with a body, the session of this browser, and the bytes that follow their reservation. */
const NO_ACTS = /\/(search|window|sign-out)$|\/import\/uploads\//;

/** The scenes that end the workspace of the others come last. */
const LAST = /-erase$|-cancel$/;

const PRESSED: readonly Scene[] = [...SCENES, ...OPENED_SCENES]
  .filter(
    ({ name, visitor = 'owner' }) => visitor === 'owner' && !/role|session-ended|^settings-erase/.test(name),
  )
  .toSorted((one, other) => Number(LAST.test(one.name)) - Number(LAST.test(other.name)));

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
    beforeAll(async () => {
      data = await seedScenes(seeds(), opened().site);
    });

    /** A scene in a separate session: a press that ends it ends no other test. */
    async function shown(scene: Scene) {
      const visit = await opened().visit({ cookie: await seeds().signIn() });
      await show(scene, visit.page, data);
      await fillForms(visit.page);
      return visit;
    }

    /** Presses one button of a scene twice, if an earlier press has left it there. Returns what was sent. */
    async function pressed(scene: Scene, { selector, index, word, gapMs }: Press): Promise<string[]> {
      const { page, context } = await shown(scene);
      const isThere = (await wordsOf(page.locator(selector)))[index] === word;
      const acts = isThere ? await pressTwice(page, page.locator(selector).nth(index), gapMs) : [];
      await context.close();
      return acts;
    }

    it.each(PRESSED.map((scene, at) => [scene.name, scene, at] as const))(
      'on each button of %s does one act',
      async (_name, scene, at) => {
        const selector = at === 0 ? `${BUTTONS}, ${FRAME_BUTTONS}` : BUTTONS;
        const first = await shown(scene);
        const words = await wordsOf(first.page.locator(selector));
        await first.context.close();
        const found: string[] = [];
        for (const [index, word] of words.entries()) {
          if (word === null) continue;
          const gapMs = GAPS_MS[(at + index) % GAPS_MS.length] ?? 0;
          const acts = await pressed(scene, { selector, index, word, gapMs });
          if (acts.length > 1) found.push(`“${word}” after ${gapMs} ms: ${acts.join(', ')}`);
          // The message or the row that the scene opens may be in another state now.
          if (acts.length > 0 && scene.act !== undefined) break;
        }
        expect(found).toEqual([]);
      },
    );
  },
  { hasSite: true },
);

/** The words of each button; null where it is out of sight. */
async function wordsOf(buttons: Locator): Promise<(string | null)[]> {
  return buttons.evaluateAll((elements) =>
    elements.map((element) =>
      element.checkVisibility() ? (element.getAttribute('aria-label') ?? element.textContent) : null,
    ),
  );
}

/** Presses a place twice. Returns the changes that were sent until both presses had their effect. */
async function pressTwice(page: Page, button: Locator, gapMs: number): Promise<string[]> {
  const acts: string[] = [];
  let underWay = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' || NO_ACTS.test(pathname)) return;
    acts.push(`${request.method()} ${pathname}`);
    underWay += 1;
    const end = () => {
      underWay -= 1;
    };
    void request.response().then(end, end);
  });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) return acts;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await page.waitForTimeout(gapMs);
  await page.mouse.click(x, y, { clickCount: 2 });
  await expect.poll(() => underWay).toBe(0);
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  return acts;
}

/** Fills the empty fields of open forms. A field that asks for a name gets that name. */
async function fillForms(page: Page): Promise<void> {
  for (const field of await page.locator('form input:visible, dialog[open] input:visible').all()) {
    const type = (await field.getAttribute('type')) ?? 'text';
    if (['checkbox', 'radio', 'search'].includes(type) || (await field.inputValue()) !== '') continue;
    const name = await field.evaluate(
      (element) => (element as HTMLInputElement).labels?.[0]?.querySelector('code')?.textContent ?? null,
    );
    await field.fill(name ?? TYPED[type] ?? 'pressed twice');
  }
}
