import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { cardOn, choose, HEADER, ImportCustomer, mounting } from '../import-customer.fixture.ts';

const FILE = `Report\n${HEADER}\nus1,2026-08-01,4.6,Chile\n`.replaceAll(',', ';');

describeWidget('the cells of a file that is corrected', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  /** Opens a page and chooses a file that needs a change. */
  async function offered(page: Page, content: string): Promise<void> {
    await page.goto(customer.publish(mounting()));
    await choose(page, content);
    await cardOn(page).getByText('events.csv can be corrected here').waitFor();
  }

  it('show what hides in them, and keep joiners that a script or a picture needs', async () => {
    const { page } = await open();
    const hidden = 'a\u00adb\u2061c\u206fd\u{e0041}e\u200df\u2028g\u0007';
    const joined = 'می\u200cخواهم \u{1f469}\u{1f3fd}\u200d\u{1f4bb}';
    await offered(page, `${FILE}us2;2026-08-02;${joined};${hidden}\n`);
    for (const name of ['In the file', 'As it is read']) {
      const shown = await cardOn(page).getByRole('region', { name }).textContent();
      expect(shown).toContain('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\u2407');
      expect(shown).toContain(joined);
    }
  });

  it('are left alone by a translation of the page', async () => {
    const { page } = await open();
    await offered(page, FILE);
    for (const [name, translated] of [
      ['In the file', []],
      ['As it is read', ['left out']],
    ] as const) {
      const cells = cardOn(page).getByRole('region', { name }).locator('td, th[scope=col]');
      expect(await cells.count()).toBeGreaterThan(2);
      const found = await cells.evaluateAll((all) =>
        (all as HTMLElement[]).filter(({ translate }) => translate).map((cell) => cell.textContent),
      );
      expect(found).toEqual(translated);
    }
  });
});
