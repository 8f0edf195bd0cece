import type { OpenConsole } from '../open-console.ts';
import { type Mark, usableAfterNavigation, watchDocuments } from './usable.ts';
import { checkFaults, VIEWPORT } from './visits.ts';

/** An answer of a few bytes by the same server, shown as text, without a script or a style. */
export const EMPTY_PAGE = { path: '/livez', heading: null, content: 'body' } as const;

/** Milliseconds until a page was usable, in a browser context with empty caches. */
export async function loadCold(
  console: OpenConsole,
  { path, ...mark }: Mark & { readonly path: string },
): Promise<number> {
  const { page, context, faults } = await console.visit({ viewport: VIEWPORT });
  try {
    await watchDocuments(page, mark);
    await page.goto(path, { waitUntil: 'commit' });
    const ms = await usableAfterNavigation(page);
    checkFaults(faults);
    return ms;
  } finally {
    await context.close();
  }
}
