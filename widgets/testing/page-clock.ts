import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The longest time after which an open page of the console reads again. */
const READ_AGAIN_MS = 15_000;
/** A page reads several things each time, of which a person may read 120 a minute: more tries would be refused. */
const TRY_AGAIN_MS = 2_000;

/** Opens an address on a page whose clock {@link readAgainUntil} moves. */
export async function openWithClock(page: Page, address: string): Promise<void> {
  await page.clock.install();
  await page.goto(address);
}

/** Lets a page read again until it shows something. Only its clock passes the time between. */
export async function readAgainUntil(page: Page, shown: Locator): Promise<void> {
  const isShown = async () => {
    if (await shown.isVisible()) return true;
    await page.clock.fastForward(READ_AGAIN_MS);
    return await shown.isVisible();
  };
  await expect.poll(isShown, { interval: TRY_AGAIN_MS, timeout: 90_000 }).toBe(true);
}
