import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createChecklist } from '../../infra/demo/checklist.ts';
import { Owner } from '../../infra/demo/owner.ts';
import { createWidget, sendFeedback } from '../testing/feedback-seeds.ts';
import { describeInBrowser } from '../testing/in-browser.ts';
import { MARKUP, textFaults } from '../testing/plain-text.ts';
import { PASSWORD, type SeededWorkspace } from '../testing/seeds.ts';
import { HEADERS, testRows, validateFile } from './pages/imports/imports.fixture.ts';

/** Turns the rest of a line around, and has no width. */
const HIDDEN = '\u202E\u200B';
const SHOWN = '‹U+202E›‹U+200B›';
/** The service stores no character of visitors that turns text around. */
const SHOWN_IN_FEEDBACK = '‹U+200B›';

/** An address that no person has yet. The service takes no hidden characters in one. */
const foreignEmail = (name: string) => `${name}.${randomUUID()}${FOREIGN}`;
const FOREIGN = '@foreign.example';

const CHECKLIST = {
  name: MARKUP,
  allowedOrigins: ['https://observatory.example'],
  steps: [{ key: 'connect', label: MARKUP, description: MARKUP + HIDDEN, actionPath: '/<b>' }],
} as const;

async function expectPlainText(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  await page.waitForLoadState('networkidle');
  expect(await textFaults(page)).toEqual([]);
}

describeInBrowser('text of customers and agents', ({ open, seeds }) => {
  /** An organization in which every field that a customer or agent fills has markup, and hidden characters where they are taken. */
  async function fill() {
    const { client } = seeds();
    const cookie = await seeds().signUp(MARKUP, foreignEmail('eve'));
    const owner = new Owner(client, cookie);
    const workspace = await seeds().preview(MARKUP);
    await owner.attach(await seeds().claimLink(workspace));
    const { importId, schemaId } = await validateFile(seeds(), workspace, {
      name: MARKUP + HIDDEN,
      headers: [MARKUP, `Mag${HIDDEN}`, ...HEADERS.slice(2)],
      rows: [[MARKUP, '4,6', HIDDEN, ''], ...testRows(3)],
    });
    const checklistId = await createChecklist(client, workspace.agent.workspace, randomUUID(), CHECKLIST);
    const widgetId = await createWidget(seeds(), workspace);
    const sent = { message: `${MARKUP}\n${HIDDEN}`, path: `/${MARKUP}${HIDDEN}` };
    const submissionId = await sendFeedback(seeds(), widgetId, sent);
    const post = (path: string, status: number, json: object) =>
      client.send('POST', path, status, { cookie, json });
    const at = `/v1/console/workspaces/${workspace.workspaceId}`;
    await post(`${at}/schemas/${schemaId}/capabilities`, 201, {
      idempotencyKey: randomUUID(),
      name: MARKUP,
      origin: 'https://observatory.example',
      expiresInDays: 1,
      delegateApproval: false,
    });
    const suiteId = await createForeignSuite(workspace);
    await post(`${at}/credentials`, 201, { idempotencyKey: randomUUID(), name: MARKUP });
    await post('/v1/keys', 201, {
      idempotencyKey: randomUUID(),
      product: 'limiter',
      mode: 'test',
      name: MARKUP,
    });
    return { cookie, ...workspace, importId, schemaId, checklistId, submissionId, suiteId };
  }

  /** A suite and an access profile of an origin without a proof. Returns the suite's id. */
  async function createForeignSuite({ agent }: SeededWorkspace): Promise<string> {
    const { installationId, credential } = agent.workspace;
    const post = (path: string, json: object) =>
      seeds().client.send<Record<string, string>>(
        'POST',
        `/v1/installations/${installationId}/svccheck${path}`,
        201,
        {
          bearer: credential,
          json: { schemaVersion: '2026-08-24', idempotencyKey: randomUUID(), ...json },
        },
      );
    const origin = 'https://foreign.example';
    const { originId } = await post('/origins', { origin, verificationMethod: 'well_known_file' });
    const profile = { originId, name: MARKUP, device: 'mobile' };
    const { accessProfileId } = await post('/access-profiles', profile);
    const steps = [
      { action: 'goto', url: `${origin}/?q=<b>` },
      { action: 'expect_heading', text: MARKUP + HIDDEN },
    ];
    const flows = [{ name: MARKUP, steps, timeoutMs: 20_000 }];
    const { suiteId = '' } = await post('/suites', { originId, accessProfileId, name: MARKUP, flows });
    return suiteId;
  }

  it('is shown as plain text on every page, with hidden characters made visible', async () => {
    const { cookie, workspaceId, importId, schemaId, checklistId, submissionId, suiteId } = await fill();
    const { page } = await open({ cookie });
    const workspace = `/agent-workspaces/${workspaceId}`;
    const pages: readonly (readonly [string, readonly string[]])[] = [
      ['/agent-workspaces', [MARKUP]],
      [workspace, [MARKUP, FOREIGN]],
      [`${workspace}/imports`, [MARKUP + SHOWN]],
      [`${workspace}/imports/${importId}?rows=all`, [MARKUP + SHOWN]],
      [`${workspace}/schemas`, [MARKUP + SHOWN]],
      [`${workspace}/schemas/${schemaId}`, [MARKUP + SHOWN]],
      [`${workspace}/checklists`, [MARKUP]],
      [`${workspace}/checklists/${checklistId}`, [MARKUP, SHOWN]],
      [`${workspace}/feedback`, [`${MARKUP} ${SHOWN_IN_FEEDBACK}`, `/${MARKUP}${SHOWN_IN_FEEDBACK}`]],
      [`${workspace}/feedback?submission=${submissionId}`, [`${MARKUP}\n${SHOWN_IN_FEEDBACK}`]],
      [`${workspace}/checks?suite=${suiteId}`, [MARKUP, SHOWN]],
      ['/keys', [MARKUP]],
      ['/members', [FOREIGN]],
      ['/audit', [FOREIGN]],
      ['/settings', [MARKUP, FOREIGN]],
    ];
    for (const [path, texts] of pages) {
      await page.goto(path);
      const shown = page.locator('main :not(option)');
      await shown
        .and(page.getByText(texts[0] ?? ''))
        .first()
        .waitFor();
      await page.locator('main details').evaluateAll((all: HTMLDetailsElement[]) => {
        for (const each of all) each.open = true;
      });
      for (const text of texts) await shown.and(page.getByText(text)).first().waitFor();
      await expectPlainText(page);
    }
    await page.locator('.person').getByText(FOREIGN).waitFor();
  });

  it('is plain in dialogs, menus, toasts and the palette', async () => {
    const { cookie, workspaceId } = await fill();
    const { page } = await open({ cookie });
    await page.goto(`/agent-workspaces/${workspaceId}`);
    await page.getByRole('button', { name: `Revoke ${MARKUP}` }).click();
    await page.getByRole('dialog', { name: `Revoke ${MARKUP}` }).waitFor();
    await expectPlainText(page);
    await page.getByRole('button', { name: 'Revoke credential' }).click();
    await page.getByText(`${MARKUP} is revoked`).waitFor();
    await expectPlainText(page);
    await page.locator('.person').click();
    await page.getByRole('menuitem', { name: FOREIGN }).waitFor();
    await expectPlainText(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Name, id or action' }).fill('foreign');
    await page.getByRole('option', { name: `${MARKUP + SHOWN}, schema` }).waitFor();
    await expectPlainText(page);
  });

  it('is plain in what a person does about members', async () => {
    const { cookie } = await fill();
    const invitation = await invite(cookie);
    const email = foreignEmail('mallory');
    const json = { code: new URL(invitation).hash.slice(1), email, password: PASSWORD };
    await seeds().client.send('POST', '/v1/console/invitations/accept', 200, { json });
    const { page } = await open({ cookie });
    await page.goto('/members');
    const actions = page.getByRole('button', { name: 'Actions for mallory' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Make a reset link' }).click();
    await page.getByRole('heading', { name: 'Reset link for mallory' }).waitFor();
    await expectPlainText(page);
    await actions.click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove mallory' }).waitFor();
    await expectPlainText(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('removed').waitFor();
    await expectPlainText(page);
    await page.goto(await invite(cookie));
    await page.getByRole('button', { name: 'Join as eve' }).waitFor();
    await expectPlainText(page);
  });

  it('is plain in the claim, to which a person comes from outside', async () => {
    const { cookie } = await fill();
    const preview = await previewWithForeignText();
    const { page } = await open({ cookie });
    const { hash } = new URL((await seeds().claimLink(preview)).claimUrl);
    await page.goto(`/claim${hash}`);
    await page.getByRole('heading', { name: `Attach ${MARKUP}` }).waitFor();
    await page.getByRole('cell', { name: MARKUP }).waitFor();
    await expectPlainText(page);
  });

  async function previewWithForeignText(): Promise<SeededWorkspace> {
    const preview = await seeds().preview(MARKUP);
    await createChecklist(seeds().client, preview.agent.workspace, randomUUID(), CHECKLIST);
    return preview;
  }

  async function invite(cookie: string): Promise<string> {
    const json = { role: 'member' };
    const path = '/v1/console/invitations';
    return (await seeds().client.send<{ url: string }>('POST', path, 201, { cookie, json })).url;
  }
});
