import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Choices } from '../../../../schemas/imports/fix/findings.ts';
import { cardOn, choose, ImportCustomer, stepOf } from '../../../import/import-customer.fixture.ts';
import { WidgetStage } from '../../hosts/widget-stage.ts';
import { LIMITS, type Outcome } from './person.ts';

/** The longest that the widget takes for one step. */
const STEP_MS_MAX = 60_000;
/** The largest file of the plan that takes the most. */
const FILE_BYTES = 5 * 1_024 * 1_024;

/** Makes the choices of a person in the widget, on a page of a customer in Chromium. */
export class WidgetDriver {
  readonly #stage: WidgetStage;
  readonly #customer: ImportCustomer;

  private constructor(stage: WidgetStage, customer: ImportCustomer) {
    this.#stage = stage;
    this.#customer = customer;
  }

  static async start(): Promise<WidgetDriver> {
    const stage = await WidgetStage.start({ importRows: LIMITS.rows, importFileBytes: FILE_BYTES });
    return new WidgetDriver(stage, await ImportCustomer.start(stage));
  }

  /** Sends a file with the choices of an outcome. Returns how it ends in another way, or undefined. */
  async differenceOf(bytes: Uint8Array, { choices, sent }: Outcome): Promise<string | undefined> {
    const { page, context } = await this.#stage.visit();
    page.setDefaultTimeout(STEP_MS_MAX);
    try {
      await page.goto(this.#customer.publish());
      if (choices.header !== undefined || choices.agreed.size > 0 || choices.leftOut !== undefined) {
        await cardOn(page).getByRole('checkbox', { name: 'Show the file' }).check();
      }
      const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
      await choose(page, Buffer.from(bytes));
      await this.#make(page, choices, reserving);
      const { sha256 } = (await reserving).postDataJSON() as { sha256: string };
      if (sha256 !== createHash('sha256').update(sent).digest('hex')) return 'the widget sends other bytes';
      await page.locator('#here [aria-current=step]', { hasText: 'Columns' }).waitFor();
      return (await stepOf(page)) === 'Columns' ? undefined : 'no columns';
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'no answer';
    } finally {
      await context.close();
    }
  }

  /** Makes the choices, unless the file is sent without a question. */
  async #make(page: Page, choices: Choices, sending: Promise<unknown>): Promise<void> {
    const card = cardOn(page);
    const upload = card.getByRole('button', { name: /^Upload / });
    const asks = await Promise.race([upload.waitFor().then(() => true), sending.then(() => false)]);
    if (!asks) return;
    if (choices.header !== undefined) {
      await card.getByLabel('The header is on line').fill(String(choices.header.line));
      await page.keyboard.press('Enter');
      await this.#settled(page);
      await card.locator('[name=header-lines]').selectOption({ index: choices.header.lines });
      await this.#settled(page);
    }
    for (const [kind, isAgreed] of choices.agreed) {
      const [box, button] = [
        card.locator(`[name=${kind}]`),
        card.locator(`[name=${kind}-${isAgreed ? 'make' : 'keep'}]`),
      ];
      if ((await button.count()) > 0) await button.click();
      else if ((await box.count()) > 0) await box.setChecked(isAgreed);
      await this.#settled(page);
    }
    if (choices.part !== undefined) {
      await card.locator('[name=part]').selectOption({ index: choices.part - 1 });
      await this.#settled(page);
    }
    if (choices.leftOut !== undefined && choices.leftOut.size > 0) {
      await card.locator('[name=lines]').fill([...choices.leftOut.keys()].join(', '));
      await page.keyboard.press('Enter');
      await this.#settled(page);
    }
    await upload.click();
  }

  /** Waits until the examination of the last choice is on screen. */
  async #settled(page: Page): Promise<void> {
    await page.locator('#here .fixes:not([aria-busy])').waitFor();
  }

  async close(): Promise<void> {
    await this.#stage.close();
  }
}
