import type { Page } from 'playwright-core';

/** Gives a page a list `held`: while it is there, an examination waits after its next step. */
export function holdTasks(): void {
  const now = performance.now.bind(performance);
  let steps = 0;
  // Each look at the clock is the end of a slice.
  performance.now = () => {
    steps += 1;
    return now() + 20 * steps;
  };
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
    const held: (() => void)[] | null = Reflect.get(globalThis, 'held') ?? null;
    if (held === null) post.call(this, message);
    else held.push(() => post.call(this, message));
  };
}

/** Holds the examinations of a page that has {@link holdTasks}. */
export async function holdNextTasks(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.set(globalThis, 'held', []));
}

export async function releaseTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const held: readonly (() => void)[] = Reflect.get(globalThis, 'held');
    Reflect.set(globalThis, 'held', null);
    for (const task of held) task();
  });
}
