import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ChecklistBackend, createChecklist } from '../../../../infra/demo/checklist.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { loseAnswers } from '../../../testing/lose-answers.ts';
import type { SeededWorkspace, Seeds } from '../../../testing/seeds.ts';

const MARKUP = '<img src=x onerror="document.title=1">';
const SECRET = 'secret of the backend';

const step = (key: string, label: string) => ({
  key,
  label,
  description: 'Said <b>once</b>. \u202E',
  actionPath: `/${key}`,
});

function configuration(labels: readonly string[], name = MARKUP) {
  const steps = labels.map((label, at) => step(`step-${at}`, label));
  return { name, allowedOrigins: ['https://observatory.example'] as const, steps };
}

/** A checklist in a claimed workspace, with a backend that knows {@link SECRET}. */
async function claimedChecklist(seeds: Seeds, labels: readonly string[] = ['Connect', 'Query']) {
  const workspace = await seeds.workspace();
  await seeds.verifiedResult(workspace);
  await seeds.owner.claim(workspace.workspaceId);
  return await checklistIn(seeds, workspace, labels);
}

async function checklistIn(seeds: Seeds, workspace: SeededWorkspace, labels: readonly string[]) {
  const { client } = seeds;
  const { agent, workspaceId } = workspace;
  const wanted = configuration(labels);
  const checklistId = await createChecklist(client, agent.workspace, randomUUID(), wanted);
  const backend = new ChecklistBackend(client, agent.workspace, checklistId, SECRET);
  const path = `/agent-workspaces/${workspaceId}/checklists/${checklistId}`;
  const revise = async (expectedRevision: number, next: object) => {
    const { installationId, credential } = agent.workspace;
    const target = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}`;
    const json = {
      schemaVersion: '2026-09-07',
      idempotencyKey: randomUUID(),
      expectedRevision,
      configuration: next,
    };
    await client.send('POST', target, 200, { bearer: credential, json });
  };
  return { workspaceId, agent, checklistId, backend, path, revise };
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name }).first();

describeInBrowser('the checklists of a workspace', ({ open, seeds }) => {
  it.each([320, 390, 680])('show the whole funnel without scrolling sideways, %i px wide', async (width) => {
    const { backend, path } = await claimedChecklist(seeds());
    await backend.report('user-1', 'step-0', randomUUID());
    const { page } = await open({ viewport: { width, height: 900 } });
    await page.goto(path);
    const table = page.getByRole('region', { name: 'Funnel table' });
    const row = rowOf(page, 'Query step-1 0 0 %');
    await row.getByText('1 fewer, 100 %').waitFor();
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const bars = await row.locator('.bar').evaluateAll((all) => all.map((bar) => bar.clientWidth));
    expect(Math.min(...bars)).toBeGreaterThan(80);
    await expectNoAxeViolations(page);
  });

  it('erase a subject once and say so, also after the answer was lost', async () => {
    const { backend, path } = await claimedChecklist(seeds());
    await backend.report('user-1', 'step-0', randomUUID());
    const { page, faults } = await open();
    faults.allow(/ERR_CONNECTION_RESET/);
    const { sent } = await loseAnswers(page, /\/checklists\/[^/]+\/erase$/);
    await page.goto(path);
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByRole('button', { name: 'Digest', exact: true }).click();
    const digest = backend.digestOf('user-1');
    await page.getByLabel('Digest of the subject').fill(digest);
    await page.getByLabel(`Type ${digest.slice(0, 8)}`).fill(digest.slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByText('The subject is erased').waitFor();
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
  });

  it('show the funnel of a revision and cohort, which erasing a subject by keyboard changes', async () => {
    const { backend, path } = await claimedChecklist(seeds());
    await backend.report('user-1', 'step-0', randomUUID());
    await backend.report('user-2', 'step-0', randomUUID());
    await backend.report('user-2', 'step-1', randomUUID());
    const { page } = await open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.goto(path);
    await rowOf(page, 'Connect step-0 2 100 %').waitFor();
    await rowOf(page, 'Query step-1 1 50 %').waitFor();
    await rowOf(page, 'Every step complete 1 50 %').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Erase…' }).focus();
    await page.keyboard.press('Enter');
    const userId = page.getByLabel('User id in your system');
    // A phone would begin it with a capital: the digest of another person.
    expect(await userId.getAttribute('autocapitalize')).toBe('none');
    await userId.focus();
    await page.keyboard.type('user-2');
    await page.keyboard.press('Tab');
    await page.keyboard.type(SECRET);
    const digest = backend.digestOf('user-2');
    await page.getByText(digest, { exact: true }).waitFor();
    await page.getByLabel(`Type ${digest.slice(0, 8)}`).focus();
    await page.keyboard.type(digest.slice(0, 8));
    await expectNoAxeViolations(page);
    await page.keyboard.press('Enter');
    await page.getByText('The subject is erased').waitFor();
    await rowOf(page, 'Connect step-0 1 100 %').waitFor();
    await rowOf(page, 'Every step complete 0 0 %').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('There is nothing to erase').waitFor();
    await expectNoAxeViolations(page);
    const all = sent.join('\n');
    expect(all).toContain(digest);
    expect(all).not.toContain('user-2');
    expect(all).not.toContain(SECRET);
    expect(page.url()).not.toContain(digest);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await page.goBack();
    await page.getByLabel('Digest secret').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Erase…' }).click();
    expect(await page.getByLabel('Digest secret').inputValue()).toBe('');
    expect(await page.getByLabel('User id in your system').inputValue()).toBe('');
  });

  it('keep revision, cohort and comparison in the address, and show markup as text', async () => {
    const { backend, path, revise } = await claimedChecklist(seeds(), ['Connect']);
    await backend.report('user-1', 'step-0', randomUUID());
    await revise(1, configuration(['Connect', '<b>Alert</b>']));
    const { page } = await open();
    await page.goto(path);
    await page.getByText('Waiting for the first event of revision 2.').waitFor();
    await rowOf(page, '<b>Alert</b> step-1').waitFor();
    await page.getByText('Said <b>once</b>. ‹U+202E›').first().waitFor();
    await page.getByText('+ added').first().waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Revision 1' }).click();
    await rowOf(page, 'Connect step-0 1 100 %').waitFor();
    await page.getByRole('link', { name: 'Test', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Test, from step before' }).waitFor();
    await page.getByLabel('Compare with').selectOption('2');
    await page.getByText('against revision 2').waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Test, from step before' }).waitFor();
    await page.getByText('against revision 2').waitFor();
    await page.goBack();
    await page.getByText('against revision 2').waitFor({ state: 'detached' });
    expect(await page.locator('main img, main td b b, .diff b').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('are listed, exported as the service writes them, and waited for before the first', async () => {
    const workspace = await seeds().workspace();
    const { page } = await open();
    const list = `/agent-workspaces/${workspace.workspaceId}/checklists`;
    await page.goto(list);
    await page.getByRole('heading', { name: 'No checklist yet' }).waitFor();
    await expectNoAxeViolations(page);
    const { checklistId } = await checklistIn(seeds(), workspace, ['Connect']);
    await page.reload();
    await page.getByRole('link', { name: MARKUP }).focus();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '<img', level: 1 }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`checklist-${checklistId}.json`);
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(file.configuration).toMatchObject({ checklistId, revisions: [{ revision: 1 }] });
    expect(file.aggregates).toHaveLength(2);
  });

  it('show a member the counts and why erasing is not for them', async () => {
    const { path } = await claimedChecklist(seeds());
    const { page } = await open({ cookie: await seeds().join('member', 'max@northwind.example') });
    await page.goto(path);
    await page.getByText('Only an owner or admin does this. You are a member.').waitFor();
    await page.getByRole('button', { name: 'Erase…' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Digest secret').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('say what is wrong with a digest, an address, an answer that is missing, and an erased workspace', async () => {
    const { path, workspaceId } = await claimedChecklist(seeds());
    const { page, faults } = await open();
    await page.goto(path);
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByRole('button', { name: 'Digest', exact: true }).click();
    await page.getByLabel('Digest of the subject').fill('abc');
    await page.getByText('Seen 3 characters. A digest is 64 hexadecimal characters.').waitFor();
    await expectNoAxeViolations(page);
    faults.allow(/ERR_FAILED/);
    await page.route('**/summary?*', (route) => route.abort());
    await page.reload();
    await page.getByText('The counts could not be read').waitFor();
    await page.unroute('**/summary?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rowOf(page, 'Connect step-0').waitFor();
    await page.goto(`/agent-workspaces/${workspaceId}/checklists/chk_${'a'.repeat(24)}`);
    await page.getByRole('heading', { name: 'There is no such checklist' }).waitFor();
    await seeds().client.send('POST', `/v1/console/workspaces/${workspaceId}/erase`, 200, {
      cookie: seeds().cookie,
      json: { confirm: 'seismic-catalogue' },
    });
    await page.goto(path);
    await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
    await expectNoAxeViolations(page);
  });
});
