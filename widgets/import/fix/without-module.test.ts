import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { cardOn, choose, HEADER, ImportCustomer, stepOf } from '../import-customer.fixture.ts';

const MODULE = /\/downloads\/svcimport-fix-/;
const SEMICOLONS = `${HEADER}\nus1,2026-08-01,4.6,Chile\n`.replaceAll(',', ';');
const WESTERN = Buffer.from(SEMICOLONS.replace('Chile', 'Pérou'), 'latin1');

describeWidget('a file without the module that examines it', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
    customer.delegates = true;
  });

  it.each([
    ['changed on the way', { body: 'globalThis.changed = true; export const examineFile = () => {};' }],
    ['lost', { status: 404, body: '' }],
  ])('leaves the file to the service if the module is %s', async (_name, answer) => {
    const { page, faults } = await open();
    faults.allow(/integrity|status of 404|Failed to load/);
    await page.route(MODULE, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': '*' },
        ...answer,
      }),
    );
    await page.goto(customer.publish());
    await choose(page, WESTERN);
    await cardOn(page).getByRole('alert').getByText('is not UTF-8').waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'changed'))).toBe(undefined);
    await choose(page, SEMICOLONS);
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });

  it('leaves the file to the service if the module that shows it is lost', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 404|Failed to load/);
    await page.route(/\/downloads\/svcimport-ask-/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(customer.publish());
    await choose(page, SEMICOLONS);
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });
});
