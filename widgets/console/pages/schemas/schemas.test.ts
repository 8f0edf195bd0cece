import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { scrolledSideways } from '../../../testing/sideways.ts';

const MARKUP = '<img src=x onerror="document.title=1"> \u202E';
const SHOWN = '<img src=x onerror="document.title=1"> ‹U+202E›';

const CODE = { key: 'code', type: 'text', required: true };

function configuration(revision: number, fields: readonly object[], name = MARKUP) {
  const schema = { version: 'svcimport.schema.v1', revision, fields };
  return { name, allowedOrigins: ['https://observatory.example'], schema };
}

describeInBrowser('the schemas of a workspace', ({ open, seeds }) => {
  it('show their fields, and the differences of each revision', async () => {
    const { workspaceId, agent } = await seeds().workspace();
    const { schemaId } = await agent.configureSchema(randomUUID(), configuration(1, [CODE]));
    const { installationId, credential } = agent.workspace;
    const path = `/v1/installations/${installationId}/svcimport/schemas/${schemaId}`;
    const json = {
      version: 'svcimport.configure.v1',
      idempotencyKey: randomUUID(),
      configuration: configuration(2, [
        { ...CODE, maxLength: 8 },
        { key: 'day', type: 'date', required: true },
      ]),
    };
    await seeds().client.send('POST', path, 200, { bearer: credential, json });
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}/schemas`);
    await page.getByRole('link', { name: SHOWN }).click();
    await page.getByRole('heading', { name: '<img', level: 1 }).waitFor();
    await page.getByRole('row', { name: 'day date required' }).waitFor();
    await page.getByText('text, required, at most 8 characters').waitFor();
    await page.getByText('Revision 1', { exact: true }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it.each([320, 390])('show the rules of a field in a window of %i pixels', async (width) => {
    const { workspaceId, agent } = await seeds().workspace();
    const fields = [
      CODE,
      { key: 'nearest_station_of_the_network', type: 'decimal', required: true, precision: 23, scale: 18 },
    ];
    const { schemaId } = await agent.configureSchema(randomUUID(), configuration(1, fields, 'Stations'));
    const { page } = await open({ viewport: { width, height: 844 } });
    await page.goto(`/agent-workspaces/${workspaceId}/schemas/${schemaId}`);
    const table = page.getByRole('region', { name: 'Fields table' });
    await table.getByText('at most 23 digits, at most 18 decimal places').waitFor();
    expect(await scrolledSideways(page)).toEqual([]);
    await expectNoAxeViolations(page);
  });

  it('give a capability once, and revoke it', async () => {
    const { workspaceId, agent } = await seeds().workspace();
    const { schemaId } = await agent.configureSchema(randomUUID(), configuration(1, [CODE], 'Orders'));
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}/schemas/${schemaId}`);
    await page.getByText('None yet. Without one').waitFor();
    await page.getByRole('button', { name: 'Create capability' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create capability' });
    await dialog.getByRole('button', { name: 'Create capability' }).click();
    await dialog.getByText('Required').waitFor();
    await dialog.getByLabel('Name').fill('<b>Backend</b>');
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Create capability' }).click();
    const secret = page.locator('.secret code');
    await secret.waitFor();
    expect(await secret.textContent()).toMatch(/^svc_capability_/);
    const close = page.getByRole('button', { name: 'Close' });
    expect(await close.isDisabled()).toBe(true);
    await page.getByLabel('I have stored it where my backend reads it').check();
    await close.click();
    await secret.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke <b>Backend</b>' }).click();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Revoke capability' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
  });

  it('say how a backend pulls with a new capability, and lead back to the import that waited for it', async () => {
    const workspace = await seeds().workspace();
    const { workspaceId } = workspace;
    const { importId, schema } = await seeds().import(workspace);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}/imports/${importId}`);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByRole('link', { name: 'Create capability' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create capability' });
    await dialog.getByLabel('Name').fill('Backend');
    await page.keyboard.press('Enter');
    const capability = (await page.locator('.secret code').textContent()) ?? '';
    const command = (await page.locator('.once .cmd code').textContent()) ?? '';
    await expectNoAxeViolations(page);
    const [, address = ''] = /curl '(.*)'/.exec(command) ?? [];
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${capability}` } });
    expect(await answer.json()).toMatchObject({ imports: [{ importId }] });
    expect(address).toContain(schema.schemaId);
    await page.getByRole('link', { name: 'Back to the import' }).click();
    await page
      .locator('.approve')
      .getByText(/rows approved$/)
      .waitFor();
    expect(await page.locator('.secret code').textContent()).toBe(capability);
  });

  it('show a member no capability', async () => {
    const { workspaceId, agent } = await seeds().workspace();
    const { schemaId } = await agent.configureSchema(randomUUID(), configuration(1, [CODE], 'Orders'));
    const { page } = await open({ cookie: await seeds().join('member', 'max@northwind.example') });
    await page.goto(`/agent-workspaces/${workspaceId}/schemas/${schemaId}`);
    await page.getByText('Capabilities and sessions are for owners and admins.').waitFor();
    expect(await page.getByRole('button', { name: 'Create capability' }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });
});
