import type { OpenConsole } from '../open-console.ts';
import { type Mark, usableAfterNavigation, watchDocuments } from './usable.ts';
import { checkFaults } from './visits.ts';

/** The window of a usual phone. */
const PHONE = { width: 390, height: 844 };

/** The sum of all layout shifts of a page on a phone, from its first paint until its data are there. Its caches are empty. */
export async function shiftOnPhone(
  console: OpenConsole,
  { path, ...mark }: Mark & { readonly path: string },
): Promise<number> {
  const { page, context, faults } = await console.visit({ viewport: PHONE });
  try {
    await page.addInitScript(() => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) sum += Reflect.get(shift, 'value');
        Reflect.set(globalThis, 'benchShift', sum);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await watchDocuments(page, mark);
    await page.goto(path, { waitUntil: 'commit' });
    await usableAfterNavigation(page);
    await page.waitForLoadState('networkidle');
    checkFaults(faults);
    return await page.evaluate(() => Reflect.get(globalThis, 'benchShift') ?? 0);
  } finally {
    await context.close();
  }
}
