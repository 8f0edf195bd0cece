import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { examined } from '../../../schemas/imports/fix/fixed.fixture.ts';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { WIDGET_LOOKS } from '../../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../../testing/in-browser.ts';
import {
  cardOn,
  choose,
  earthquakes,
  HEADER,
  ImportCustomer,
  mounting,
  stepOf,
} from '../import-customer.fixture.ts';
import { holdNextTasks, holdTasks, releaseTasks } from './hold-tasks.fixture.ts';

const MODULE = /\/downloads\/svcimport-fix-/;

const SEMICOLONS = `${HEADER}\nus1,2026-08-01,4.6,Chile\n`.replaceAll(',', ';');
/** With a title above the header, in Windows-1252. */
const WESTERN = Buffer.from(
  `Séismes\n${HEADER}\nus1,2026-08-01,4.6,Pérou\nus2,2026-08-02,5.1,Chile\n`.replaceAll(',', ';'),
  'latin1',
);
const CORRECTED = `${HEADER}\nus1,2026-08-01,4.6,Pérou\nus2,2026-08-02,5.1,Chile\n`;

describeWidget('correcting a file in the import widget', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
    customer.delegates = true;
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();
  const box = (page: Page, name: string | RegExp) => cardOn(page).getByRole('checkbox', { name });
  const decide = (page: Page, kind: string, how: 'make' | 'keep') =>
    cardOn(page).locator(`[name=${kind}-${how}]`).click();
  const imports = () => stage().ingest.passed(/browser\/imports$/);

  /** Opens a page and chooses a file that needs a change. */
  async function offered(page: Page, content: string | Buffer, more = mounting()): Promise<void> {
    await page.goto(customer.publish(more));
    await choose(page, content);
    await cardOn(page).getByText('events.csv can be corrected here').waitFor();
  }

  /** Opens the settings with which a file is read. */
  async function openSettings(page: Page): Promise<void> {
    await cardOn(page).getByText('Change how the file is read').click();
  }

  it('shows the name of a file apart from its sentence, with what hides in it', async () => {
    const { page } = await open();
    await page.goto(customer.publish(mounting()));
    await choose(page, WESTERN, 'events\u202evsc.csv');
    const name = cardOn(page).locator('bdi', { hasText: 'events' });
    await name.waitFor();
    expect(await name.textContent()).toBe('events\ufffdvsc.csv');
    expect(await name.getAttribute('translate')).toBe('no');
  });

  it('says what it sees, shows the file before and after, and uploads the corrected file', async () => {
    const { page } = await open({ acceptDownloads: true });
    await offered(page, WESTERN);
    await expectNoAxeViolations(page);
    await cardOn(page).getByText('Read as Windows-1252 with a semicolon between fields. Rows: 2').waitFor();
    await cardOn(page).getByText('Read as Windows-1252, with words such as: Séismes, Pérou').waitFor();
    expect(await cardOn(page).getByRole('checkbox', { checked: true }).count()).toBe(1);
    expect(await cardOn(page).locator('[aria-pressed=true][name]').count()).toBe(0);
    const upload = cardOn(page).getByRole('button', { name: 'Use the corrected file' });
    expect(await upload.isDisabled()).toBe(true);
    await cardOn(page).getByText('Decide about each finding first.').waitFor();
    await decide(page, 'encoding', 'make');
    await decide(page, 'titles', 'make');
    await expect.poll(() => upload.isDisabled()).toBe(false);
    await expectNoAxeViolations(page);
    const before = await cardOn(page).getByRole('region', { name: 'In the file' }).textContent();
    expect(before).toContain('S\ufffdismes');
    const after = cardOn(page).getByRole('region', { name: 'As it is read' });
    expect(await after.getByRole('row').allTextContents()).toEqual([
      '1left out',
      '2Event IDDateMagPlace name',
      '3us12026-08-014.6Pérou',
      '4us22026-08-025.1Chile',
    ]);
    const downloading = page.waitForEvent('download');
    await press(page, 'Download the corrected file');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('events-corrected.csv');
    expect(readFileSync(await download.path(), 'utf8')).toBe(CORRECTED);
    const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
    await press(page, 'Use the corrected file');
    expect((await reserving).postDataJSON()).toMatchObject({
      byteLength: Buffer.byteLength(CORRECTED),
      sha256: createHash('sha256').update(CORRECTED).digest('hex'),
    });
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await cardOn(page).getByText('Pérou, Chile').waitFor();
    await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
    await press(page, /^Check/);
    await cardOn(page).getByRole('button', { name: 'Approve 2 rows' }).waitFor();
  });

  it('uploads the file as it is if the person declines', async () => {
    const { page } = await open();
    await offered(page, SEMICOLONS);
    await box(page, 'Write commas between fields').uncheck();
    await press(page, 'Use it unchanged');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await cardOn(page)
      .getByLabel(`Goes to, ${HEADER.replaceAll(',', ';')}`)
      .waitFor();
  });

  it('uploads the file of the choices on screen, also if a choice is still being examined', async () => {
    const { page } = await open();
    await page.addInitScript(holdTasks);
    await offered(page, WESTERN);
    await decide(page, 'encoding', 'make');
    await decide(page, 'titles', 'make');
    const upload = cardOn(page).getByRole('button', { name: 'Use the corrected file' });
    await expect.poll(() => upload.isDisabled()).toBe(false);
    stage().ingest.forget();
    await holdNextTasks(page);
    await decide(page, 'titles', 'keep');
    await upload.click({ force: true });
    await releaseTasks(page);
    await cardOn(page).getByRole('region', { name: 'As it is read' }).getByText('Séismes').waitFor();
    expect(imports()).toEqual([]);
    // The names of the columns beside it are another question.
    await decide(page, 'gaps', 'make');
    await expect.poll(() => upload.isDisabled()).toBe(false);
    const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
    await upload.click();
    const { corrected } = examined(WESTERN, { titles: false, gaps: true });
    expect((await reserving).postDataJSON()).toMatchObject({
      sha256: createHash('sha256')
        .update(corrected ?? '')
        .digest('hex'),
    });
  });

  const rowsAfter = (page: Page) =>
    cardOn(page).getByRole('region', { name: 'As it is read' }).getByRole('row').allTextContents();

  it('takes the header from the line that the person presses, or from none', async () => {
    const { page } = await open();
    await offered(page, `Report;a;b\nid;name;amount\nx;Ada;y\n`);
    await openSettings(page);
    await cardOn(page).getByRole('button', { name: 'Line 2 is the header' }).click();
    await expect.poll(() => rowsAfter(page)).toEqual(['1left out', '2idnameamount', '3xAday']);
    await expectNoAxeViolations(page);
    await cardOn(page).getByLabel('Lines of the header').selectOption('None: the columns get numbers');
    await expect
      .poll(() => rowsAfter(page))
      .toEqual(['1left out', 'Column 1Column 2Column 3', '2idnameamount', '3xAday']);
    await decide(page, 'noHeader', 'keep');
    await expect.poll(() => rowsAfter(page)).toEqual(['1left out', '2idnameamount', '3xAday']);
    await cardOn(page).getByLabel('The header is on line').fill('1');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowsAfter(page)).toEqual(['1Reportab', '2idnameamount', '3xAday']);
    const line = cardOn(page).getByLabel('The header is on line');
    await line.fill('4');
    await page.keyboard.press('Enter');
    expect(await line.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)).toBe(true);
    expect(await rowsAfter(page)).toEqual(['1Reportab', '2idnameamount', '3xAday']);
  });

  it('shows a file that needs no change if the person wants to see it', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await cardOn(page).getByRole('checkbox', { name: 'Show the file before it is sent' }).check();
    await expectNoAxeViolations(page);
    await choose(page, 'code,name\nx1,Ada\ny2,Bob\n');
    await cardOn(page).getByText('events.csv needs no change').waitFor();
    await cardOn(page).getByLabel('Lines of the header').selectOption('None: the columns get numbers');
    await expect.poll(() => rowsAfter(page)).toEqual(['Column 1Column 2', '1codename', '2x1Ada', '3y2Bob']);
    await expectNoAxeViolations(page);
    await press(page, 'Use the corrected file');
    await cardOn(page).getByLabel('Goes to, Column 1').waitFor();
  });

  it('leaves out the lines that the person ticks or names, and fills short rows', async () => {
    const { page } = await open();
    await offered(page, `${earthquakes(4)}Source: us\nus9,2026-08-09\n`);
    await box(page, '6: Source: us').check();
    await decide(page, 'fill', 'make');
    await openSettings(page);
    const lines = cardOn(page).getByLabel('Lines to drop');
    await expect.poll(() => lines.inputValue()).toBe('6');
    await lines.fill('2-3, 6');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => rowsAfter(page))
      .toEqual([
        `1${HEADER.replaceAll(',', '')}`,
        '2left out',
        '3left out',
        '4us22026-08-014.6Banda Sea, 2',
        '5us32026-08-014.6Banda Sea, 3',
        '6left out',
        '7us92026-08-09',
      ]);
    await expectNoAxeViolations(page);
  });

  it('sends no file with too many columns until the person leaves some out', async () => {
    const { page } = await open();
    const names = Array.from({ length: 102 }, (_, at) => `n${at}`);
    await offered(page, `${names}\n${names.map((_, at) => at)}\n`);
    await cardOn(page).getByText('It has 102 columns; at most 100 are allowed.').waitFor();
    const upload = cardOn(page).getByRole('button', { name: 'Use the corrected file' });
    expect(await upload.isDisabled()).toBe(true);
    await box(page, ': n2').first().check();
    await box(page, ': n101').check();
    await expect.poll(() => upload.isDisabled()).toBe(false);
    await expectNoAxeViolations(page);
    await upload.click();
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(
      await cardOn(page)
        .getByLabel(/^Goes to, n/)
        .count(),
    ).toBe(100);
  });

  it('keeps the columns that go to fields if there are too many', async () => {
    const { page } = await open();
    const names = [...Array.from({ length: 101 }, (_, at) => `n${at}`), 'Date', 'Event ID'];
    await offered(page, `${names}\n${names.map((_, at) => at)}\n`);
    await decide(page, 'columns', 'make');
    await press(page, 'Use the corrected file');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    for (const name of ['n97', 'Date', 'Event ID'])
      await cardOn(page).getByLabel(`Goes to, ${name}`).waitFor();
    expect(await cardOn(page).getByLabel('Goes to, n98').count()).toBe(0);
  });

  it('offers the rows that did not fit into an import at its end', async () => {
    const { page } = await open();
    await offered(page, earthquakes(1_002));
    await cardOn(page).getByText('It has 1,002 rows; at most 1,000 are allowed.').waitFor();
    await decide(page, 'rows', 'make');
    await press(page, 'Use the corrected file');
    await press(page, /^Check/);
    await press(page, 'Approve 1,000 rows');
    await press(page, 'Import rows 1,001 to 1,002');
    await expect.poll(() => rowsAfter(page)).toContain('1,002us10002026-08-014.6Banda Sea, 1000');
    await press(page, 'Use the corrected file');
    await press(page, /^Check/);
    await press(page, 'Approve 2 rows');
    await cardOn(page).getByText('2 rows are approved').waitFor();
    expect(await cardOn(page).getByRole('button').allTextContents()).toEqual(['Import another file']);
  });

  it('takes the encoding that the person chooses, and asks about one that is as likely as another', async () => {
    const { page } = await open();
    // Two characters: other encodings have letters at the same bytes.
    await offered(page, Buffer.concat([Buffer.from('id,name\n1,'), Buffer.of(0xd0, 0xd5, 0xc3, 0xfb, 0x0a)]));
    await cardOn(page).getByText('Decide about each finding first.').waitFor();
    const encodings = cardOn(page).getByLabel('The words are wrong?');
    await encodings.selectOption('GB18030: 姓名');
    await expect.poll(() => rowsAfter(page)).toEqual(['1idname', '21姓名']);
    expect(await box(page, 'Write it as UTF-8').isChecked()).toBe(true);
    await expectNoAxeViolations(page);
  });

  it('takes back a choice with which the file is beyond every limit', async () => {
    const { page } = await open();
    await offered(page, `id;text\n1;x\n2;${','.repeat(1_001)}\n`);
    const separator = box(page, 'Write commas between fields');
    await separator.click();
    await expect.poll(() => separator.isChecked()).toBe(true);
    await cardOn(page).getByRole('button', { name: 'Use the corrected file' }).click({ trial: true });
  });

  it('says for which reason the service refuses the file if the person declines', async () => {
    const { page } = await open();
    await offered(page, WESTERN);
    stage().ingest.forget();
    await decide(page, 'titles', 'make');
    await decide(page, 'encoding', 'keep');
    await cardOn(page).getByText('The service refuses this file.').waitFor();
    await cardOn(page).getByText('The file is not UTF-8. Save it as UTF-8').waitFor();
    const upload = cardOn(page).getByRole('button', { name: 'Use the corrected file' });
    expect(await upload.isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    expect(imports()).toEqual([]);
    await decide(page, 'encoding', 'make');
    await cardOn(page).getByRole('region', { name: 'As it is read' }).waitFor();
    expect(await upload.isDisabled()).toBe(false);
    await press(page, 'Choose another file');
    await cardOn(page).getByText('Drop a CSV file').waitFor();
  });

  it('says on which line a file has to be corrected by hand', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    stage().ingest.forget();
    await choose(page, `${HEADER}\nus1,2026-08-01,"4,6"x,"Peru\n`);
    const alert = cardOn(page).getByRole('alert');
    await alert.getByText('Line 2. A quote stands inside an unquoted field').waitFor();
    await expectNoAxeViolations(page);
    await choose(page, '\n\n\n');
    await alert.getByText('The service refuses this file.').waitFor();
    await choose(page, `${'a,'.repeat(1_200)}b\n1\n`);
    await alert.getByText('has more columns than allowed').waitFor();
    expect(imports()).toEqual([]);
  });

  it('asks nothing about a sound file, and loads the module only once a file is chosen', async () => {
    const { page } = await open();
    stage().ingest.forget();
    await page.goto(customer.publish());
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    expect(stage().ingest.passed(MODULE)).toEqual([]);
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(stage().ingest.passed(MODULE)).toHaveLength(1);
  });

  it('can be used by keyboard alone', async () => {
    const { page } = await open();
    await offered(page, SEMICOLONS.replace('Chile', 'Chi"le'));
    const focused = () =>
      page.evaluate(() => {
        const element = document.querySelector('#here svc-widget')?.shadowRoot?.activeElement;
        return (
          element?.getAttribute('name') ?? element?.getAttribute('aria-label') ?? element?.textContent ?? ''
        );
      });
    expect(await focused()).toBe('Import a file');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('separator');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('quotes');
    await page.keyboard.press('Space');
    await cardOn(page).getByText('The service refuses this file.').waitFor();
    expect(await focused()).toBe('quotes');
    await page.keyboard.press('Space');
    await cardOn(page).getByRole('region', { name: 'As it is read' }).waitFor();
    const stops: string[] = [];
    for (let stop = 0; stop < 9; stop += 1) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    expect(stops).toEqual([
      ...[
        'In the file',
        'As it is read',
        'settings',
        'separators',
        'sign',
        'header',
        'header-lines',
        'lines',
      ],
      'Use the corrected file',
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });

  it.each(WIDGET_LOOKS)('has nothing that axe finds: %s', async (_name, options, html) => {
    const { page } = await open(options);
    await offered(page, WESTERN, mounting({ html, style: 'html { color-scheme: light dark }' }));
    await expectNoAxeViolations(page);
    const overflows = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await overflows()).toBe(false);
    await decide(page, 'titles', 'make');
    await decide(page, 'encoding', 'keep');
    await cardOn(page).getByText('The service refuses this file.').waitFor();
    await expectNoAxeViolations(page);
  });

  it('takes the texts of the page', async () => {
    const { page } = await open();
    const session = JSON.stringify(await customer.mint());
    const labels = `{ fixTitle: '{0} kann hier berichtigt werden', fixSemicolon: 'Semikolon' }`;
    const script = `SvcImport.mount({ ...${session}, labels: ${labels}, host: document.getElementById('here') })`;
    await page.goto(customer.publish({ script }));
    await choose(page, SEMICOLONS);
    await cardOn(page).getByText('events.csv kann hier berichtigt werden').waitFor();
    await cardOn(page).getByText('Now there is Semikolon between them.').waitFor();
  });
});
