import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { readDataJson } from '../../../../infra/demo/files.ts';
import { describeInBrowser } from '../../../testing/in-browser.ts';
import { EMAIL, PASSWORD } from '../../../testing/seeds.ts';

const STORED = () => JSON.stringify(sessionStorage);

/** A form that opens in a dialog: the page, its button, and a field with what a person types into it. */
interface Form {
  readonly path: string;
  readonly open: string;
  readonly dialog: string;
  readonly field: string;
  readonly text: string;
}

const CREATE_KEY: Form = {
  path: '/keys',
  open: 'Create key',
  dialog: 'Create key',
  field: 'Name',
  text: 'half a name',
};

const dialogOf = (page: Page, { dialog }: Form) => page.getByRole('dialog', { name: dialog });
const fieldOf = (page: Page, form: Form) => dialogOf(page, form).getByLabel(form.field);

async function openForm(page: Page, form: Form): Promise<Locator> {
  // By keyboard: the pointer would press what has just come below it.
  await page.getByRole('button', { name: form.open }).first().press('Enter');
  const field = fieldOf(page, form);
  await field.waitFor();
  return field;
}

async function openTyped(page: Page, form: Form): Promise<void> {
  await page.goto(form.path);
  await (await openForm(page, form)).fill(form.text);
}

describeInBrowser('a draft', ({ open, seeds }) => {
  it('survives Esc, Back, another page and a reload, and ends when it is sent', async () => {
    const { page } = await open({ cookie: await seeds().signIn() });
    await openTyped(page, CREATE_KEY);
    await dialogOf(page, CREATE_KEY).getByLabel('Expires').selectOption('30');
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await leave();
      await dialogOf(page, CREATE_KEY).waitFor({ state: 'detached' });
      expect(await (await openForm(page, CREATE_KEY)).inputValue()).toBe(CREATE_KEY.text);
    }
    await page.reload();
    await fieldOf(page, CREATE_KEY).waitFor();
    expect(await fieldOf(page, CREATE_KEY).inputValue()).toBe(CREATE_KEY.text);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.goBack();
    await openForm(page, CREATE_KEY);
    expect(await dialogOf(page, CREATE_KEY).getByLabel('Expires').inputValue()).toBe('30');
    await dialogOf(page, CREATE_KEY).getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: `Key “${CREATE_KEY.text}” created` }).waitFor();
    expect(await page.evaluate(STORED)).not.toContain(CREATE_KEY.text);
    expect(await (await openForm(page, CREATE_KEY)).inputValue()).toBe('');
  });

  it('ends by the button that discards it', async () => {
    const { page } = await open();
    await openTyped(page, CREATE_KEY);
    await dialogOf(page, CREATE_KEY).getByRole('button', { name: 'Discard' }).click();
    expect(await (await openForm(page, CREATE_KEY)).inputValue()).toBe('');
    await dialogOf(page, CREATE_KEY).getByRole('button', { name: 'Cancel' }).waitFor();
  });

  it('survives a session that ended, for the same person only', async () => {
    const cookie = await seeds().signIn();
    await seeds().join('admin', 'bob@northwind.example');
    const { page } = await open({ cookie });
    await openTyped(page, CREATE_KEY);
    const signInAs = async (email: string) => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    await page.reload();
    await signInAs(EMAIL);
    await fieldOf(page, CREATE_KEY).waitFor();
    expect(await fieldOf(page, CREATE_KEY).inputValue()).toBe(CREATE_KEY.text);
    await page.context().clearCookies();
    await page.reload();
    await signInAs('bob@northwind.example');
    await fieldOf(page, CREATE_KEY).waitFor();
    expect(await fieldOf(page, CREATE_KEY).inputValue()).toBe('');
    expect(await page.evaluate(STORED)).not.toContain(CREATE_KEY.text);
  });

  it('ends with the sign-out', async () => {
    const { page } = await open({ cookie: await seeds().signIn() });
    await openTyped(page, CREATE_KEY);
    expect(await page.evaluate(STORED)).toContain(CREATE_KEY.text);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: EMAIL, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate(STORED)).not.toContain(CREATE_KEY.text);
  });

  it('of every dialog that a person fills is there again', async () => {
    const workspace = await seeds().workspace('drafts');
    const schema = await workspace.agent.configureSchema('drafts', readDataJson<object>('schema.json'));
    const root = `/agent-workspaces/${workspace.workspaceId}`;
    const forms: readonly Form[] = [
      {
        path: '/members',
        open: 'Invite a person',
        dialog: 'Invite a person',
        field: 'For whom',
        text: 'Cleo',
      },
      { path: root, open: 'Create credential', dialog: 'Create credential', field: 'Name', text: 'nightly' },
      {
        path: `${root}/checks`,
        open: 'Add an origin',
        dialog: 'Add an origin',
        field: 'Origin',
        text: 'https://app.example',
      },
      {
        path: `${root}/schemas/${schema.schemaId}`,
        open: 'Create capability',
        dialog: 'Create capability',
        field: 'Name',
        text: 'Import backend',
      },
    ];
    const { page } = await open();
    for (const form of forms) {
      await openTyped(page, form);
      await page.keyboard.press('Escape');
      await dialogOf(page, form).waitFor({ state: 'detached' });
      expect(await (await openForm(page, form)).inputValue(), form.dialog).toBe(form.text);
    }
  });

  it('that no storage may have survives Back and another page', async () => {
    const workspace = await seeds().workspace('private-drafts');
    const { checklistId } = await seeds().checklist(workspace, 0);
    const { importId } = await seeds().import(workspace, 'needs_correction');
    const root = `/agent-workspaces/${workspace.workspaceId}`;
    const { page } = await open();
    await page.goto(`${root}/checklists/${checklistId}`);
    await page.getByRole('button', { name: 'Erase…' }).press('Enter');
    await page.getByLabel('User id in your system').fill('user-0');
    await page.getByLabel('Digest secret').fill('half a secret');
    await page.goBack();
    await page.getByLabel('Digest secret').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Erase…' }).press('Enter');
    expect(await page.getByLabel('User id in your system').inputValue()).toBe('user-0');
    expect(await page.getByLabel('Digest secret').inputValue()).toBe('half a secret');
    await page.goto(`${root}/imports/${importId}`);
    await page.getByRole('button', { name: 'Edit mapping' }).press('Enter');
    const place = page.getByRole('combobox', { name: 'place' });
    const before = await place.inputValue();
    await place.selectOption('');
    await page.goBack();
    await place.waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Edit mapping' }).press('Enter');
    expect(await place.inputValue()).toBe('');
    expect(await page.evaluate(STORED)).toBe('{}');
    await page.getByRole('button', { name: 'Keep revision' }).click();
    await page.getByRole('button', { name: 'Edit mapping' }).press('Enter');
    expect(await place.inputValue()).toBe(before);
  });
});
