import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { choose, earthquakes, stepOf } from '../import/import-customer.fixture.ts';
import { describeWidget } from './hosts/describe-widget.ts';
import { type Embedded, type EmbeddedName, embedAll } from './hosts/embedded.fixture.ts';
import { describeInBrowser } from './in-browser.ts';
import { EMAIL, PASSWORD } from './seeds.ts';
import { WITHOUT_YOUNG_INTERFACES, YOUNG_INTERFACES, youngInterfacesIn } from './young-interfaces.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Everything that is built for browsers. */
const BUILT = ['widgets/dist/{console,widgets}/**/*.js', 'cli/dist/svc-client-examine-v*.js'];

/** The interfaces of the list that a page still has. */
const LEFT = `[${YOUNG_INTERFACES.map(([owner, member]) => `'${owner}.${member}'`)}].filter((name) => {
  const [member, ...path] = name.split('.').reverse();
  const owner = path.reverse().reduce((object, each) => object?.[each], globalThis);
  return owner !== undefined && Object.hasOwn(owner, member);
})`;

/** Playwright needs it. */
const KEPT = ['Element.prototype.checkVisibility'];

describe('youngInterfacesIn', () => {
  it.each([
    ['new URL("x"),URL.parse(e,t)', ['URL.parse']],
    ['e.toSorted((e,t)=>e-t)', ['Array.prototype.toSorted']],
    ['signal:AbortSignal.any([e,AbortSignal.timeout(8e3)])', ['AbortSignal.any']],
    ['Promise.withResolvers()', ['Promise.withResolvers']],
    ['let r=e.checkVisibility()', ['Element.prototype.checkVisibility']],
    ['JSON.parse(e),z.union([e,t]),e.showPopover?.()', []],
  ])('finds what %s calls', (script, expected) => {
    expect(youngInterfacesIn(script)).toEqual(expected);
  });
});

describe('the scripts for browsers', () => {
  it('call nothing that the oldest browsers lack', () => {
    const files = globSync(BUILT, { cwd: ROOT });
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      youngInterfacesIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});

describeWidget('a widget without young interfaces', ({ stage, open }) => {
  let all: Record<EmbeddedName, Embedded>;
  beforeAll(async () => {
    all = await embedAll(stage());
  });

  it.each<EmbeddedName>(['feedback', 'checklist', 'import'])('works as %s', async (name) => {
    const { page } = await open();
    await page.addInitScript(WITHOUT_YOUNG_INTERFACES);
    await page.goto(stage().site.publish(await all[name].page()));
    expect(await page.evaluate(LEFT)).toEqual(KEPT);
    await all[name].use(page);
  });

  it('asks about a file before it is sent', async () => {
    const { page } = await open();
    await page.addInitScript(WITHOUT_YOUNG_INTERFACES);
    await page.goto(stage().site.publish(await all.import.page()));
    await page.getByLabel('Show the file before it is sent').check();
    await choose(page, earthquakes(3));
    const separators = page.locator('[name=separators]');
    await separators.selectOption({ label: 'a semicolon' });
    await page.getByText('with a semicolon between fields').waitFor();
    await separators.selectOption({ label: 'a comma' });
    await page.getByText('with a comma between fields').waitFor();
    await page.getByRole('button', { name: 'Use it unchanged' }).click();
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });
});

describeInBrowser('the console without young interfaces', ({ open }) => {
  it('signs a person in and shows the first pages', async () => {
    const { page } = await open({ cookie: null });
    await page.addInitScript(WITHOUT_YOUNG_INTERFACES);
    await page.goto('/sign-in');
    expect(await page.evaluate(LEFT)).toEqual(KEPT);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const name of ['Workspaces', 'Keys', 'Members', 'Audit', 'Settings']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  });
});
