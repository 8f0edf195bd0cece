import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';

interface AuditPage {
  readonly entries: readonly { readonly requestId: string }[];
}

const WAIT = { timeout: 45_000, interval: 50 };

describeInBrowser('the audit log', ({ open, seeds }) => {
  it('opens the details of a row by keyboard, and keeps them in the address', async () => {
    const { page } = await open();
    await page.goto('/audit');
    // While it loads, the table has rows of which none opens.
    await page.locator('tbody tr:has([data-open])').first().focus();
    await page.keyboard.press('Enter');
    const details = page.locator('.entry');
    await details.getByText('UTC').waitFor();
    await expectNoAxeViolations(page);
    const shown = await details.textContent();
    await page.reload();
    await details.waitFor();
    expect(await details.textContent()).toBe(shown);
    await page.locator('tbody tr[aria-selected="true"]').focus();
    await page.keyboard.press('Enter');
    await details.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await details.waitFor();
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/audit');
  });

  it('names what an entry is about, and shows equal reads once', async () => {
    const workspace = await seeds().workspace('seismic-catalogue');
    const { importId } = await seeds().import(workspace);
    const { workspaceId } = workspace;
    await seeds().owner.claim(workspaceId);
    for (let reads = 0; reads < 3; reads += 1) await seeds().owner.previewRows(workspaceId, importId);
    await expect.poll(async () => (await seeds().auditedActions()).includes('imports.read-rows')).toBe(true);
    const { page } = await open();
    await page.goto(`/audit?where=${workspaceId}`);
    const reads = page.getByRole('row', { name: 'Read rows 3 times' });
    await reads.getByRole('link', { name: 'seismic-catalogue' }).waitFor();
    await reads.getByRole('button', { name: 'Read rows' }).click();
    await page.locator('.entry', { hasText: '3 requests' }).waitFor();
    await expectNoAxeViolations(page);
    await reads.getByRole('link', { name: 'import' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toContain(`/imports/${importId}`);
  });

  it('filters by what is in the address, and says what an empty list means', async () => {
    await seeds().join('member', 'grace@northwind.example');
    const { page } = await open();
    await page.goto('/audit');
    const asked = () => new URL(page.url()).searchParams.get('what');
    await page.getByLabel('What').selectOption({ label: 'Create key' });
    await page.getByLabel('What').selectOption({ label: 'Create invitation' });
    await expect.poll(asked).toBe('organizations.invite');
    await page.goBack();
    await expect.poll(asked).toBe('organizations.create-key');
    await page.goForward();
    await page.reload();
    const names = page.locator('tbody th');
    await expect
      .poll(() => names.allTextContents().then((texts) => new Set(texts)))
      .toEqual(new Set(['Create invitation']));
    await page.getByLabel('From').fill('2001-01-01');
    await page.getByLabel('To').fill('2001-01-02');
    await page.getByText('No entry passes these filters.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await names.first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('says what was changed of a key', async () => {
    const { keyId } = await seeds().key();
    const { client, cookie } = seeds();
    await client.send('PATCH', `/v1/keys/${keyId}`, 200, { cookie, json: { name: 'Backend of maps' } });
    await expect.poll(() => seeds().auditedActions()).toContain('organizations.change-key');
    const { page } = await open();
    await page.goto('/audit?what=organizations.change-key');
    await page
      .getByRole('row', { name: 'Rename key' })
      .getByRole('link', { name: 'Backend of maps' })
      .waitFor();
  });

  it('lists people by name, and moves no filter for a day that is none', async () => {
    for (const name of ['zoe', 'bob']) await seeds().join('member', `${name}@northwind.example`);
    const { page } = await open();
    await page.goto('/audit');
    await page.locator('tbody:not([aria-busy])').waitFor();
    const people = await page.getByLabel('Who').locator('option').allTextContents();
    expect(people.slice(1)).toEqual(people.slice(1).toSorted());
    expect(people).toContain('bob@northwind.example');
    const from = page.getByLabel('From');
    expect(await from.getAttribute('placeholder')).toBe('YYYY-MM-DD');
    const before = await from.boundingBox();
    await from.fill('2026-13-01');
    await page.getByText('Expected a day such as 2026-11-22').waitFor();
    expect(await from.boundingBox()).toEqual(before);
  });

  it('shows what a request did, from its id in the palette', async () => {
    await seeds().key();
    const { page } = await open();
    const { client, cookie } = seeds();
    const created = '/v1/console/audit?action=organizations.create-key';
    const ofLatest = async () => {
      const { entries } = await client.send<AuditPage>('GET', created, 200, { cookie });
      return entries[0]?.requestId ?? null;
    };
    const requestId = String(await vi.waitUntil(ofLatest, WAIT));
    await page.goto('/audit');
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Name, id or action' }).fill(requestId);
    await page.getByRole('option', { name: `Request ${requestId}` }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe(`?request=${requestId}`);
    await expect.poll(() => page.locator('tbody th').allTextContents()).toEqual(['Create key']);
    await page.getByLabel('Request id').fill('req_aaaaaaaaaaaaaaaaaaaaaaaa');
    await page.getByText('No entries. The request was refused').waitFor();
    await expectNoAxeViolations(page);
  });

  it('offers every action that people take as a filter', async () => {
    const { client, cookie, owner } = seeds();
    const workspace = await seeds().workspace('audited');
    const { importId } = await seeds().import(workspace);
    const { workspaceId } = workspace;
    await owner.claim(workspaceId);
    const { validationDigest } = await workspace.agent.binding(importId);
    await owner.previewRows(workspaceId, importId);
    await owner.approve(workspaceId, importId, validationDigest ?? '');
    const post = (path: string, json: object) => client.send('POST', path, 200, { cookie, json });
    const at = `/v1/console/workspaces/${workspaceId}`;
    await post(`${at}/pause`, {});
    await post(`${at}/resume`, {});
    await post(`${at}/disconnect`, { confirm: 'audited' });
    await post(`${at}/erase`, { confirm: 'audited' });
    const { keyId } = await seeds().key();
    await owner.revokeKey(keyId);
    await seeds().join('admin', 'actor@northwind.example');
    await expect.poll(() => seeds().auditedActions()).toContain('people.join');
    const actions = await seeds().auditedActions();
    expect(actions).toEqual(expect.arrayContaining(['workspaces.claim', 'workspaces.erase']));
    const { page } = await open();
    await page.goto('/audit');
    const options = page.getByLabel('What').locator('option');
    await options.nth(1).waitFor({ state: 'attached' });
    const offered = await options.evaluateAll((all) => all.map((option) => option.getAttribute('value')));
    expect(actions.filter((action) => !offered.includes(action))).toEqual([]);
  });

  it('exports what the filters show as a file', async () => {
    await seeds().signIn();
    const { page } = await open();
    await page.goto('/audit?what=people.session-start');
    await page.locator('tbody th').first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect([download.suggestedFilename(), lines.length]).toEqual(['audit.csv', 2]);
    expect(lines[1]).toContain('people.session-start');
  });
});
