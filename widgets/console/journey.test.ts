import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ClaimLink } from '../../infra/demo/agent.ts';
import { Backend } from '../../infra/demo/backend.ts';
import { createChecklist } from '../../infra/demo/checklist.ts';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import { describeInBrowser } from '../testing/in-browser.ts';
import { isFocused, Keyboard } from '../testing/keyboard.ts';
import { EMAIL, ORGANIZATION, PASSWORD, type SeededWorkspace, Seeds } from '../testing/seeds.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

describeInBrowser(
  'the owner, by keyboard alone',
  ({ open, opened }) => {
    it('sets up, signs in, attaches, approves, hands out, claims, pauses, resumes, revokes and erases', async () => {
      const { page } = await open();
      const keyboard = new Keyboard(page);
      await setUp(page, keyboard, opened().service.setUpLink);
      await signOutAndIn(page, keyboard);

      const seeds = await Seeds.afterSetUp(opened().service.url);
      const workspace = await seeds.preview('seismic-catalogue');
      const { importId, schema } = await seeds.import(workspace);
      const link = await seeds.claimLink(workspace);
      await attach(page, keyboard, link);
      await approve(page, keyboard);
      const delivery = { workspaceId: workspace.workspaceId, schemaId: schema.schemaId };
      const capability = await createCapability(page, keyboard, delivery);
      const backend = new Backend(seeds.client, { ...delivery, capability });
      expect(await backend.deliverable()).toMatchObject([{ importId, status: 'approved' }]);

      await claimPauseAndResume(page, keyboard, workspace, seeds);
      const key = await createAndRevokeKey(page, keyboard, opened().service.url);
      const { credential, provisionToken } = workspace.agent.workspace;
      const used = [PASSWORD, capability, key, credential, provisionToken, link.confirmCode];
      const codes = [opened().service.setUpLink, link.claimUrl].map((url) => new URL(url).hash.slice(1));
      const kept = await keptBy(page);
      // Less would mean that nothing was looked at.
      expect(kept).toContain('/agent-workspaces');
      expect([...used, ...codes].filter((secret) => kept.includes(secret))).toEqual([]);
      await erase(page, keyboard, workspace, seeds);
    });
  },
  { isSetUp: false, startService: ServiceProcess.start },
);

async function setUp(page: Page, keyboard: Keyboard, link: string): Promise<void> {
  await keyboard.open(link);
  await title(page, 'Set up').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await keyboard.type(page.getByLabel('Organization'), ORGANIZATION);
  await keyboard.type(page.getByLabel('E-mail'), EMAIL);
  await keyboard.type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await title(page, 'Workspaces').waitFor();
}

async function signOutAndIn(page: Page, keyboard: Keyboard): Promise<void> {
  await keyboard.chooseInMenu(button(page, EMAIL), 'Sign out');
  await title(page, 'Sign in').waitFor();
  await keyboard.type(page.getByLabel('E-mail'), EMAIL);
  await keyboard.type(page.getByLabel('Password'), PASSWORD);
  await page.keyboard.press('Enter');
  await title(page, 'Workspaces').waitFor();
}

/** Opens the claim link with the code that the terminal shows, and follows it into the console. */
async function attach(page: Page, keyboard: Keyboard, { claimUrl, confirmCode }: ClaimLink): Promise<void> {
  const { pathname, hash } = new URL(claimUrl);
  await keyboard.open(pathname + hash);
  await title(page, 'Attach seismic-catalogue').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await keyboard.type(page.getByLabel('Confirm code'), confirmCode);
  await page.keyboard.press('Enter');
  await title(page, 'Claim seismic-catalogue').waitFor();
  await keyboard.press(page.getByRole('link', { name: 'Open workspace' }));
  await title(page, 'seismic-catalogue').waitFor();
}

/** Looks through the rows, and approves exactly the digest that the page shows. */
async function approve(page: Page, keyboard: Keyboard): Promise<void> {
  await keyboard.press(page.getByRole('link', { name: 'Review import' }));
  const rows = page.getByRole('grid', { name: 'Rows table' });
  await keyboard.reach(rows);
  const selected = page.locator('tr[aria-selected="true"] td').first();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => selected.textContent()).toBe('2');
  const digest = await page.locator('.digest code').textContent();
  await page.keyboard.press('a');
  await expect.poll(() => isFocused(button(page, /^Approve [\d,]+ rows$/))).toBe(true);
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/approve')),
    page.keyboard.press('Enter'),
  ]);
  expect(sent.postDataJSON()).toMatchObject({ validationDigest: digest });
  await page.locator('.approve').getByText(`by ${EMAIL}`).waitFor();
}

interface SchemaPlace {
  readonly workspaceId: string;
  readonly schemaId: string;
}

/** Creates the capability that the approved import waits for. Returns its secret, which is shown once. */
async function createCapability(
  page: Page,
  keyboard: Keyboard,
  { workspaceId, schemaId }: SchemaPlace,
): Promise<string> {
  await keyboard.press(page.getByRole('link', { name: 'Create capability' }));
  await expect
    .poll(() => new URL(page.url()).pathname)
    .toBe(`/agent-workspaces/${workspaceId}/schemas/${schemaId}`);
  const name = page.getByRole('dialog', { name: 'Create capability' }).getByLabel('Name');
  await expect.poll(() => isFocused(name)).toBe(true);
  await keyboard.type(name, 'catalogue-backend');
  await page.keyboard.press('Enter');
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  await keyboard.press(page.getByLabel('I have stored it where my backend reads it'), 'Space');
  await keyboard.press(button(page, 'Close'));
  await page.locator('.secret').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  return secret;
}

async function claimPauseAndResume(
  page: Page,
  keyboard: Keyboard,
  workspace: SeededWorkspace,
  seeds: Seeds,
): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await title(page, 'Workspaces').waitFor();
  const row = page.getByRole('row', { name: 'seismic-catalogue' });
  await keyboard.press(row);
  await title(page, 'seismic-catalogue').waitFor();
  await keyboard.press(button(page, 'Claim workspace'));
  await page.getByRole('heading', { name: 'No action needed' }).waitFor();
  expect(await seeds.owner.workspace(workspace.workspaceId)).toMatchObject({ state: 'active', plan: 'free' });

  const checklistId = await createChecklist(seeds.client, workspace.agent.workspace, randomUUID(), CHECKLIST);
  const report = async (status: 200 | 403) => {
    const { installationId, credential } = workspace.agent.workspace;
    const path = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`;
    const json = { ...EVENT, idempotencyKey: randomUUID() };
    await seeds.client.send('POST', path, status, { bearer: credential, json });
  };
  await report(200);
  await keyboard.press(button(page, 'Pause'));
  await page.getByRole('heading', { name: 'Resume this workspace' }).waitFor();
  await report(403);
  await keyboard.press(button(page, 'Resume workspace'));
  await page.getByRole('heading', { name: 'No action needed' }).waitFor();
  await report(200);
}

const CHECKLIST = {
  name: 'Getting started',
  allowedOrigins: ['https://observatory.example'],
  steps: [{ key: 'connect', label: 'Connect', description: 'The first feed.', actionPath: '/feeds' }],
} as const;

const EVENT = {
  schemaVersion: '2026-09-07',
  subjectDigest: '0'.repeat(64),
  cohort: 'live',
  eventKey: 'connect',
};

/**
 * All that the browser keeps for pages of this origin, with the addresses that this page has asked for and what it shows. The
 * address by which a person has opened it, a link with a code, is the browser's until the next load.
 */
async function keptBy(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const addresses = performance.getEntriesByType('resource').map(({ name }) => name);
    const storage = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state];
    const others = [
      await caches.keys(),
      await indexedDB.databases(),
      await navigator.serviceWorker.getRegistrations(),
    ];
    return JSON.stringify([location.href, addresses, storage, others, document.documentElement.outerHTML]);
  });
}

/** @returns the secret of the key, which is shown once */
async function createAndRevokeKey(page: Page, keyboard: Keyboard, url: string): Promise<string> {
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await title(page, 'Keys').waitFor();
  await keyboard.press(button(page, 'Create key').first());
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await keyboard.type(dialog.getByLabel('Name'), 'checkout');
  await keyboard.choose(dialog.getByLabel('Mode'), 'Test');
  await keyboard.press(dialog.getByRole('button', { name: 'Create key' }));
  const key = (await page.locator('.secret code').textContent()) ?? '';
  expect(await checkStatus(url, key)).toBe(200);
  await keyboard.press(page.getByLabel('I have stored it'), 'Space');
  await keyboard.press(button(page, 'Close'));
  await page.locator('.secret').waitFor({ state: 'detached' });
  await keyboard.press(button(page, 'Revoke checkout'));
  await keyboard.press(page.locator('tr.detail').getByRole('button', { name: 'Revoke checkout' }));
  await page.getByRole('region', { name: 'Revoked and expired keys table' }).getByText('checkout').waitFor();
  expect(await checkStatus(url, key)).toBe(401);
  return key;
}

async function checkStatus(url: string, key: string): Promise<number> {
  const { status } = await fetch(`${url}/v1/check`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ namespace: 'login', identifier: 'user-42', limit: 5, window: 60_000 }),
  });
  return status;
}

/** Erases the workspace. Neither the list nor the way back shows anything of it, and its credential opens nothing. */
async function erase(
  page: Page,
  keyboard: Keyboard,
  { workspaceId, agent }: SeededWorkspace,
  { client }: Seeds,
): Promise<void> {
  await page.goBack();
  await title(page, 'seismic-catalogue').waitFor();
  await keyboard.press(button(page, 'Erase…'));
  await keyboard.type(page.getByLabel('Type seismic-catalogue to erase it'), 'seismic-catalogue');
  await page.keyboard.press('Enter');
  await title(page, 'Workspaces').waitFor();
  await page.getByText('Waiting for the first workspace').waitFor();
  await keyboard.open(`/agent-workspaces/${workspaceId}`);
  await title(page, 'This workspace was erased').waitFor();
  await client.send('GET', '/v1/agent/workspace', 401, { bearer: agent.workspace.credential });
}
