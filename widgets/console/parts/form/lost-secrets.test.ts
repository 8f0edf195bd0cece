import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused } from '../../../testing/keyboard.ts';
import { loseAnswers } from '../../../testing/lose-answers.ts';
import { newSchema } from '../../pages/imports/imports.fixture.ts';

const LOST = /answer that did not arrive here, and is kept nowhere/;

/** The browser notes each request without an answer. */
const NO_ANSWER = /ERR_CONNECTION_RESET/;

/** A form whose answer brings a secret. */
interface Making {
  /** The act in the name of the test. */
  readonly act: string;
  readonly at: () => string | Promise<string>;
  /** The address of the request. */
  readonly route: RegExp;
  /** The title of the dialog, and the button that sends it. */
  readonly dialog: string;
  readonly send: string;
  /** The field that is filled in, if there is one. */
  readonly field?: string;
  /** The panel of the secret. */
  readonly panel: string;
  /** The link of a panel whose secret cannot be made again; null where the service derives it. */
  readonly offers: 'Revoke it' | 'Rotate it' | null;
}

describeInBrowser('a secret whose answer was lost', ({ open, seeds }) => {
  let workspaceId: string;
  let schemaId: string;
  let credentialId: string;

  beforeAll(async () => {
    const workspace = await seeds().workspace('lost-secrets');
    ({ workspaceId } = workspace);
    ({ schemaId } = await newSchema(workspace, 'Events'));
    const read = await seeds().client.send<{ credentials: [{ credentialId: string }] }>(
      'GET',
      `/v1/console/workspaces/${workspaceId}`,
      200,
      { cookie: seeds().cookie },
    );
    credentialId = read.credentials[0].credentialId;
  });

  const MAKINGS: readonly Making[] = [
    {
      act: 'Create key',
      at: () => '/keys?do=create',
      route: /\/v1\/keys$/,
      dialog: 'Create key',
      send: 'Create key',
      field: 'Name',
      panel: 'Key “lost” created',
      offers: 'Revoke it',
    },
    {
      act: 'Rotate key',
      at: async () => `/keys/${(await seeds().key()).keyId}?do=rotate`,
      route: /\/rotate$/,
      dialog: 'Rotate key',
      send: 'Rotate key',
      panel: 'New key',
      offers: 'Rotate it',
    },
    {
      act: 'Create credential',
      at: () => `/agent-workspaces/${workspaceId}?do=create-credential`,
      route: /\/credentials$/,
      dialog: 'Create credential',
      send: 'Create credential',
      field: 'Name',
      panel: 'Secret of “lost”',
      offers: null,
    },
    {
      act: 'Rotate credential',
      at: () => `/agent-workspaces/${workspaceId}?rotate=${credentialId}`,
      route: /\/rotate$/,
      dialog: 'Rotate Agent',
      send: 'Rotate credential',
      panel: 'Secret of “Agent”',
      offers: null,
    },
    {
      act: 'Create capability',
      at: () => `/agent-workspaces/${workspaceId}/schemas/${schemaId}?do=create-capability`,
      route: /\/capabilities$/,
      dialog: 'Create capability',
      send: 'Create capability',
      field: 'Name',
      panel: 'Capability “lost” created',
      offers: 'Revoke it',
    },
    {
      act: 'Create invitation',
      at: () => '/members?do=invite',
      route: /\/invitations$/,
      dialog: 'Invite a person',
      send: 'Create invitation',
      field: 'For whom (optional)',
      panel: 'Invitation for lost created',
      offers: 'Revoke it',
    },
  ];

  /** Fills in the form and sends it. */
  async function send(page: Page, { dialog, send, field }: Making): Promise<void> {
    const form = page.getByRole('dialog', { name: dialog });
    if (field !== undefined) await form.getByLabel(field).fill('lost');
    await form.getByRole('button', { name: send }).click();
  }

  async function expectFound(page: Page, { panel, offers }: Making): Promise<void> {
    const found = page.getByRole('region', { name: panel });
    await expect.poll(() => isFocused(found.getByRole('heading'))).toBe(true);
    if (offers === null) await found.locator('.secret code').waitFor();
    else {
      await found.getByText(LOST).waitFor();
      await found.getByRole('link', { name: offers }).waitFor();
    }
    await expectNoAxeViolations(page);
  }

  it.each(MAKINGS.map((making) => [making.act, making] as const))(
    '%s: is found out with the same key, and the panel says what helps',
    async (_act, making) => {
      const { page, faults } = await open();
      faults.allow(NO_ANSWER);
      const { sent } = await loseAnswers(page, making.route);
      await page.goto(await making.at());
      await send(page, making);
      await expectFound(page, making);
      expect(sent).toEqual([sent[0], sent[0]]);
      expect(await page.evaluate(() => sessionStorage.getItem('svc-drafts') ?? '')).not.toContain('sent/');
    },
  );

  it.each(MAKINGS.map((making) => [making.act, making] as const))(
    '%s: a reload asks first, and then finds out what was sent before it',
    async (_act, making) => {
      const { page, faults } = await open();
      faults.allow(NO_ANSWER);
      const done = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const sent: string[] = [];
      await page.route(making.route, async (route) => {
        if (route.request().method() === 'GET') return await route.fallback();
        sent.push(route.request().postData() ?? '');
        if (sent.length === 1) {
          await route.fetch();
          done.resolve();
          return;
        }
        await released.promise;
        return await route.fallback();
      });
      await page.goto(await making.at());
      await send(page, making);
      await done.promise;
      const asked = page.waitForEvent('dialog');
      await page.evaluate(() => void setTimeout(() => location.reload()));
      await (await asked).accept();
      const dialog = page.getByRole('dialog', { name: making.dialog });
      await dialog.getByText('This was sent before, and no answer arrived.').waitFor();
      await expectNoAxeViolations(page);
      released.resolve();
      await expectFound(page, making);
      expect(sent).toEqual([sent[0], sent[0]]);
    },
  );
});
