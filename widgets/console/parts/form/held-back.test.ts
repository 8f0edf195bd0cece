import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { restartWith } from '../../../../infra/testing/e2e/operations/stopped-log.fixture.ts';
import { ServiceInProcess } from '../../../../infra/testing/e2e/service-in-process.fixture.ts';
import type { ServiceProcessOptions } from '../../../../infra/tools/service-process/service-process.ts';
import { fillForms } from '../../../testing/fill-forms.ts';
import { describeInBrowser } from '../../../testing/in-browser.ts';
import { settle } from '../../../testing/keyboard.ts';
import { type SceneData, seedScenes } from '../../../testing/scene-data.ts';
import { importPath, workspace } from '../../../testing/scenes.ts';

/** A dialog, a row or a form in place that sends a change. */
interface Opening {
  readonly path: (data: SceneData) => string;
  /** The buttons that open it, one after the other. */
  readonly open: readonly (string | RegExp)[];
  /** A key that is pressed then, for a dialog that a shortcut opens. */
  readonly key?: string;
  /** The button that sends. */
  readonly send: string | RegExp;
}

const at = (path: string) => () => path;
const schema = (data: SceneData) => workspace(`/schemas/${data.ready.schema.schemaId}`)(data);
const key = (data: SceneData) => `/keys/${data.key.keyId}`;
const readyImport = (data: SceneData) => importPath(data, data.ready);

const OPENINGS: Readonly<Record<string, Opening>> = {
  'a new key': { path: at('/keys'), open: ['Create key'], send: 'Create key' },
  'the row that revokes a key': { path: at('/keys'), open: [/^Revoke Backend/], send: 'Revoke Backend' },
  'the name of a key': { path: key, open: ['Edit'], send: 'Save' },
  'the rotation of a key': { path: key, open: ['Rotate'], send: 'Rotate key' },
  'the end of a key': { path: key, open: ['Revoke'], send: 'Revoke key' },
  'a new credential': { path: workspace(), open: ['Create credential'], send: 'Create credential' },
  'the rotation of a credential': { path: workspace(), open: [/^Rotate/], send: 'Rotate credential' },
  'the end of a credential': { path: workspace(), open: [/^Revoke/], send: 'Revoke credential' },
  'the end of a workspace': { path: workspace(), open: ['Disconnect…'], send: 'Disconnect workspace' },
  'the erasure of a workspace': { path: workspace(), open: ['Erase…'], send: 'Erase workspace' },
  'a new capability': { path: schema, open: ['Create capability'], send: 'Create capability' },
  'a new origin': { path: workspace('/checks'), open: ['Add an origin'], send: 'Add origin' },
  'a new suite': { path: workspace('/checks'), open: ['Create suite'], send: 'Create suite' },
  'the mapping of an import': { path: readyImport, open: ['Edit mapping'], send: /^Save revision/ },
  'the end of an import': { path: readyImport, open: ['Cancel import…'], send: 'Cancel import' },
  'the erasure of an import': { path: readyImport, open: ['Erase…'], send: 'Erase import' },
  'the erasure of a subject': {
    path: (data) => workspace(`/checklists/${data.checklist.checklistId}`)(data),
    open: ['Erase…'],
    send: 'Erase subject',
  },
  'the erasure of a submission': {
    path: workspace('/feedback?state=all'),
    open: [/^The export of July/, 'Erase…'],
    send: 'Erase submission',
  },
  'the erasure of a submission by its key': {
    path: workspace('/feedback?state=all'),
    open: [/^The export of July/],
    key: 'e',
    send: 'Erase submission',
  },
  'an invitation': { path: at('/members'), open: ['Invite a person'], send: 'Create invitation' },
  'the end of an invitation': {
    path: at('/members'),
    open: [/^Revoke the invitation/],
    send: 'Revoke invitation',
  },
  'another e-mail': { path: at('/settings'), open: ['Change e-mail…'], send: 'Change e-mail' },
  'another password': { path: at('/settings'), open: ['Change password…'], send: 'Change password' },
  'the end of a session': { path: at('/settings'), open: ['End session'], send: 'End session' },
  'the end of a membership': { path: at('/settings'), open: ['Leave…'], send: 'Leave' },
  'the erasure of an account': { path: at('/settings'), open: ['Erase…'], send: 'Erase my account' },
  'a dead letter': { path: at('/ops'), open: [/^Review/], send: 'Send again' },
  'the end of a dead letter': { path: at('/ops'), open: [/^Review/, 'Discard…'], send: 'Discard' },
};

/** The single keys that act or lead to an act somewhere. */
const SHORTCUTS = 'adehnosz';

/** A dialog, a form in place, and what a row opens below itself. */
const OPENED = 'dialog[open], form, tr.detail';

describeInBrowser(
  'what opens on a page',
  ({ open, opened, seeds }) => {
    let data: SceneData;
    beforeAll(async () => {
      data = await seedScenes(seeds(), opened().site);
      await seeds().invitation('member');
      await seeds().signIn();
    });

    it.each(Object.entries(OPENINGS))('holds Back and shows the failure of %s', async (_name, opening) => {
      const { page, faults } = await open({ cookie: seeds().cookie });
      faults.allow(/status of 500/);
      await page.goto('/audit');
      await page.goto(opening.path(data));
      for (const name of opening.open) await press(page.getByRole('button', { name }).first());
      if (opening.key !== undefined) {
        await page.locator(OPENED).first().waitFor();
        await settle(page);
        await page.keyboard.press(opening.key);
      }
      const send = page.locator(OPENED).getByRole('button', { name: opening.send, exact: true }).last();
      // The fields of a subject come before the name that confirms its erasure.
      await fillForms(page);
      await send.waitFor();
      await fillForms(page);
      const change = await failLater(page);
      const sent = page.waitForRequest((request) => request.method() !== 'GET');
      await Promise.all([sent, press(send)]);
      await page.goBack();
      await page.keyboard.press('Escape');
      // Nothing else is sent meanwhile, whatever shortcut is pressed or held.
      const further: string[] = [];
      page.on('request', (request) => void (request.method() !== 'GET' && further.push(request.url())));
      for (const key of SHORTCUTS) await page.keyboard.press(key);
      expect(further).toEqual([]);
      change.fail();
      await page.getByRole('alert').filter({ hasText: 'failed in the test' }).waitFor();
    });
  },
  {
    hasSite: true,
    startService: async (options: ServiceProcessOptions) => {
      const service = await ServiceInProcess.start(options);
      await restartWith(service, [{ topic: 'workspaces', key: 'a', value: 'no envelope' }]);
      return service;
    },
  },
);

/** Presses a button as a person who has seen it: a second Enter at once is for what was there before. */
async function press(button: Locator): Promise<void> {
  await button.press('Shift');
  await button.press('Enter');
}

/** Keeps the changes of a page from the service, and answers them with an error when that is asked for. */
async function failLater(page: Page): Promise<{ fail(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/v1/**', async (route) => {
    if (route.request().method() === 'GET') return await route.continue();
    await promise;
    const error = { code: 'internal_error', message: 'It failed in the test.', request_id: 'req_test' };
    await route.fulfill({ status: 500, json: { error } });
  });
  return { fail: resolve };
}
