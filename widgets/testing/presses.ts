import type { Locator, Page, Request } from 'playwright-core';
import { fillForms } from './fill-forms.ts';
import { OPENED_SCENES } from './opened-scenes.ts';
import type { SceneData } from './scene-data.ts';
import { SCENES, type Scene, show } from './scenes.ts';

/** The time after which a replacement on the way to a scene counts no longer. */
export const SETTLED_MS = 1_000;

/** Below the page of a scene: its own buttons, and those of a dialog or a menu that is open. */
export const BUTTONS = 'main button:not([aria-disabled=true]):not([disabled]), dialog[open] button';

/** The buttons of the frame are the same on every page. */
export const FRAME_BUTTONS = '.side button';

/** Reads that are sent with a body, the session of this browser, and the bytes that follow their reservation. */
const NO_ACTS = /\/(search|window|claims\/inspect|claims\/details|sign-out)$|\/import\/uploads\//;

/** The scenes that pause or end the workspace of the others come last. */
const LAST = /^workspace(?:-table)?$|-erase$|-cancel$/;

export const PRESSED: readonly Scene[] = [...SCENES, ...OPENED_SCENES]
  .filter(
    ({ name, visitor = 'owner' }) => visitor === 'owner' && !/role|session-ended|^settings-erase/.test(name),
  )
  .toSorted((one, other) => Number(LAST.test(one.name)) - Number(LAST.test(other.name)));

/** A change that a page has sent. */
export interface Sent {
  /** The method and the path. */
  readonly what: string;
  /** The name of the request in the audit log; null where there was no answer. */
  readonly requestId: string | null;
}

/** Shows a scene, with its forms filled in. */
export async function shown(scene: Scene, page: Page, data: SceneData): Promise<void> {
  await show(scene, page, data);
  await fillForms(page);
}

/** Notes the changes that a page sends from now on. */
export function noteChanges(page: Page): readonly Promise<Sent>[] {
  const sent: Promise<Sent>[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(sentBy(request));
  });
  return sent;
}

/** The acts among changes. */
export function actsAmong(sent: readonly Sent[]): readonly Sent[] {
  return sent.filter(({ what }) => !NO_ACTS.test(what));
}

/** The words of each button; null where it is out of sight. */
export async function wordsOf(buttons: Locator): Promise<(string | null)[]> {
  return buttons.evaluateAll((elements) =>
    elements.map((element) =>
      element.checkVisibility() ? (element.getAttribute('aria-label') ?? element.textContent) : null,
    ),
  );
}

/** Resolves when everything that was sent is answered and shown. */
export async function effect(page: Page, sent: readonly Promise<Sent>[]): Promise<void> {
  await painted(page);
  // An answer can lead to another request.
  for (let known = -1; known < sent.length; ) {
    known = sent.length;
    await Promise.all(sent);
    await painted(page);
  }
}

/** Stops the clock by which a page measures pauses, so much later than it shows now. */
export async function stopClock(page: Page, laterMs: number): Promise<void> {
  await inPage(
    page.evaluate((ms) => {
      const at = performance.now() + ms;
      performance.now = () => at;
    }, laterMs),
  );
}

async function sentBy(request: Request): Promise<Sent> {
  const response = await request.response();
  return {
    what: `${request.method()} ${new URL(request.url()).pathname}`,
    requestId: (await response?.headerValue('x-request-id')) ?? null,
  };
}

/** Resolves when a frame was painted. */
async function painted(page: Page): Promise<void> {
  await inPage(
    page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)))),
  );
}

/** Waits for code in a page, or until the page has gone to another document: "Go back" does. */
async function inPage(evaluated: Promise<void>): Promise<void> {
  await evaluated.catch((error: unknown) => {
    if (!String(error).includes('context was destroyed')) throw error;
  });
}
