import type { Page, Request, Route } from 'playwright-core';

/** Which of the answers that are ready together is shown first. */
export type Turn = 'first asked' | 'last asked';

/**
 * Lets the answers of the interface reach the page one after the other, each painted before the next. On a quiet machine
 * they come together, so that what moves between two of them is not seen. To be called before the page is opened.
 *
 * @param look called before the first answer, and after each one
 */
export async function answerInTurn(page: Page, turn: Turn, look: () => Promise<void>): Promise<void> {
  const held: { readonly route: Route; readonly end: Promise<void> }[] = [];
  let isPassing = false;
  const pass = async () => {
    if (isPassing) return;
    isPassing = true;
    while (held.length > 0) {
      // Requests of one paint are asked in it, so all of them are held before the first passes.
      await painted(page);
      await look();
      const next = turn === 'first asked' ? held.shift() : held.pop();
      await next?.route.continue();
      await next?.end;
      await painted(page);
      await look();
    }
    isPassing = false;
  };
  await page.route('**/v1/**', async (route) => {
    held.push({ route, end: endOf(page, route.request()) });
    // A page that is closed while answers are held needs none of them.
    await pass().catch((error: unknown) => {
      if (!page.isClosed()) throw error;
    });
  });
}

/** The end of a request: its answer, or its failure where the page has given it up. */
function endOf(page: Page, request: Request): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (each: Request) => {
    if (each !== request) return;
    page.off('requestfinished', settle);
    page.off('requestfailed', settle);
    resolve();
  };
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  return promise;
}

/** The end of the second frame from now: what was set before is on the screen. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}
