import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than the stops of any page. A control that is not among them cannot be reached by keyboard. */
const STOPS_MAX = 150;

/** A person with a keyboard and no pointer. Each step waits until the page is ready for it, so that no key is lost. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Moves the focus to a control with Tab. It has to be there and usable first, which may take an answer of the service. */
  async reach(control: Locator): Promise<void> {
    await control.waitFor();
    await expect.poll(() => control.isEnabled()).toBe(true);
    for (let stops = 0; !(await isFocused(control)); stops += 1) {
      if (stops === STOPS_MAX) throw new Error(`reaching ${control} with ${STOPS_MAX} tabs`);
      await this.#page.keyboard.press('Tab');
    }
  }

  /** Presses a control: Enter for buttons and links, Space for boxes. */
  async press(control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.reach(control);
    // A person looks where the focus is now. Enter alone, right behind another one, would be the second half of a double press.
    await this.#page.keyboard.press('Shift');
    await this.#page.keyboard.press(key);
  }

  /** Replaces the content of a field. */
  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.type(text);
    await expect.poll(() => field.inputValue()).toBe(text);
  }

  /** Chooses an option of a list by the words that it begins with. */
  async choose(list: Locator, words: string): Promise<void> {
    await this.reach(list);
    await this.#page.keyboard.type(words);
    await expect
      .poll(() => list.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]?.label))
      .toMatch(new RegExp(`^${words}`));
  }

  /** Opens a menu and chooses one of its lines. */
  async chooseInMenu(button: Locator, words: string): Promise<void> {
    await this.press(button);
    const line = this.#page.getByRole('menuitem', { name: words });
    await line.waitFor();
    // Until the list has the focus, its keys go nowhere.
    await expect.poll(() => isFocused(this.#page.getByRole('menu'))).toBe(true);
    for (let stops = 0; (await line.getAttribute('data-highlighted')) === null; stops += 1) {
      if (stops === STOPS_MAX) throw new Error(`reaching ${words} with ${STOPS_MAX} arrow keys`);
      await this.#page.keyboard.press('ArrowDown');
    }
    await this.#page.keyboard.press('Enter');
  }

  /** Opens a link that a person pasted into the address bar. */
  async open(address: string): Promise<void> {
    await this.#page.goto(address);
  }
}

/** More than the time in which a page takes no key for what has just opened. */
const SETTLED_MS = 1_000;

/**
 * Moves the clock by which a page measures that time, as if a person had read what has opened. It lets the page paint first,
 * which then notes the time of each change.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async (ms) => {
    await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, SETTLED_MS);
}

/** True if a control has the focus now; false too while it is not there. */
export async function isFocused(control: Locator): Promise<boolean> {
  if ((await control.count()) === 0) return false;
  return await control.evaluate((element) => element === document.activeElement);
}
