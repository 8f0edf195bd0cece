import type { Page } from 'playwright-core';
import { importPath, runPath, type Scene, UPLOAD, workspace } from './scenes.ts';

/** The width below which the side column is a bar with a menu. */
const NARROW_PX = 900;

/** Presses a button that opens something, and waits for what it opens. */
function opens(button: string | RegExp, role: 'dialog' | 'menu' | 'heading', name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name: button }).and(page.locator(':visible')).first().click();
    await page.getByRole(role, { name }).first().waitFor();
  };
}

const SESSION = '**/v1/console/session';

/** Lets a member pass for an admin until {@link loseRole}. */
async function lendRole(page: Page): Promise<void> {
  await page.clock.install();
  await page.route(SESSION, async (route) => {
    const response = await route.fetch();
    const session: { organizations: object[] } = await response.json();
    const organizations = session.organizations.map((each) => ({ ...each, role: 'admin' }));
    await route.fulfill({ response, json: { ...session, organizations } });
  });
}

async function loseRole(page: Page): Promise<void> {
  await page.unroute(SESSION);
  await page.clock.fastForward('01:01');
  await page.getByText('Your role was changed').waitFor();
}

/** Dialogs, menus, forms and rows that are open, and the focus ring. */
export const OPENED_SCENES: readonly Scene[] = [
  {
    name: 'frame-organizations',
    path: '/members',
    heading: 'Members',
    act: opens(/Northwind Seismology/, 'menu', /./),
  },
  {
    name: 'frame-menu',
    path: '/members',
    heading: 'Members',
    async act(page) {
      const isNarrow = (page.viewportSize()?.width ?? 0) < NARROW_PX;
      if (isNarrow) await page.getByRole('button', { name: 'Menu' }).click();
      else await opens(/ada@/, 'menu', /./)(page);
    },
  },
  {
    name: 'frame-shortcuts',
    path: '/members',
    heading: 'Members',
    async act(page) {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'frame-focus',
    path: '/agent-workspaces',
    heading: 'Workspaces',
    async act(page) {
      await page.getByRole('link', { name: 'seismic-catalogue' }).focus();
      // The ring shows after a key.
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
    },
  },
  {
    name: 'workspaces-claim',
    path: '/agent-workspaces',
    heading: 'Workspaces',
    act: opens('Claim a workspace', 'dialog', /./),
  },
  {
    name: 'workspace-credential',
    path: workspace(),
    heading: 'seismic-catalogue',
    act: opens('Create credential', 'dialog', /./),
  },
  {
    name: 'workspace-rotate',
    path: workspace(),
    heading: 'seismic-catalogue',
    act: opens(/^Rotate/, 'dialog', /./),
  },
  {
    name: 'checks-create-suite',
    path: workspace('/checks'),
    heading: 'Checks',
    act: opens('Create suite', 'dialog', /./),
  },
  {
    name: 'workspace-table',
    path: workspace('?activity=table'),
    heading: 'seismic-catalogue',
    act: (page) => page.getByRole('region', { name: 'Activity table' }).waitFor(),
  },
  {
    name: 'imports-upload-fix',
    path: workspace('/imports/upload'),
    heading: UPLOAD,
    async act(page) {
      const text = 'Event;Magnitude;Place\r\nus1;4.6;K\u00f6ln\r\n';
      const file = { name: 'beben.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByRole('button', { name: 'Use the corrected file' }).waitFor();
    },
  },
  {
    name: 'import-row',
    path: (data) => `${importPath(data, data.faulty)}?row=33`,
    heading: /./,
    act: (page) => page.locator('.why').waitFor(),
  },
  {
    name: 'import-mapping',
    path: (data) => importPath(data, data.faulty),
    heading: /./,
    async act(page) {
      await page.getByRole('button', { name: 'Edit mapping' }).click();
      await page.getByRole('combobox').nth(1).waitFor();
    },
  },
  {
    name: 'import-cancel',
    path: (data) => importPath(data, data.ready),
    heading: /./,
    async act(page) {
      await page.getByRole('button', { name: 'Cancel import…' }).click();
      await page.getByText('Stops at once').waitFor();
    },
  },
  {
    name: 'schema-capability',
    path: (data) => workspace(`/schemas/${data.ready.schema.schemaId}`)(data),
    heading: /./,
    act: opens('Create capability', 'dialog', /./),
  },
  {
    name: 'schema-member',
    path: (data) => workspace(`/schemas/${data.ready.schema.schemaId}`)(data),
    heading: /./,
    visitor: 'member',
  },
  {
    name: 'feedback-submission',
    path: workspace('/feedback?state=all'),
    heading: 'Feedback',
    async act(page) {
      await page.getByRole('rowheader', { name: 'The export of July' }).getByRole('button').click();
      await page.getByRole('button', { name: 'Mark as done' }).waitFor();
    },
  },
  {
    name: 'feedback-held',
    path: workspace('/feedback?state=held'),
    heading: 'Feedback',
    async act(page) {
      await page.getByRole('rowheader', { name: 'Cheap replica' }).getByRole('button').click();
      await page.getByRole('button', { name: 'Release' }).waitFor();
    },
  },
  {
    name: 'feedback-tags',
    path: workspace('/feedback'),
    heading: 'Feedback',
    async act(page) {
      await page
        .getByRole('button', { name: /^Show tags of/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Digest of the script (SRI)' }).waitFor();
    },
  },
  {
    name: 'feedback-nothing-yet',
    path: workspace('/feedback'),
    heading: 'Feedback',
    async act(page) {
      await page.getByRole('link', { name: 'https://status.observatory.example' }).click();
      await page.getByRole('heading', { name: 'No feedback yet' }).waitFor();
    },
  },
  {
    name: 'feedback-lost',
    path: workspace('/feedback?submission=sub_aaaaaaaaaaaaaaaaaaaaaaaa'),
    heading: 'Feedback',
    act: (page) => page.getByText('is not in this list').waitFor(),
  },
  {
    name: 'feedback-erase',
    path: workspace('/feedback'),
    heading: 'Feedback',
    async act(page) {
      await page.getByRole('rowheader').filter({ hasText: 'mute' }).getByRole('button').click();
      await opens('Erase…', 'dialog', 'Erase this submission')(page);
    },
  },
  {
    name: 'check-run-screenshot',
    path: (data) => runPath(data, data.checks.verified),
    heading: 'Catalogue',
    async act(page) {
      await page.getByRole('button', { name: 'Show the screenshot' }).click();
      await page.getByRole('img', { name: 'The last page as the run left it' }).waitFor();
    },
  },
  {
    name: 'checks-suite',
    path: workspace('/checks'),
    heading: 'Checks',
    async act(page) {
      await page
        .getByRole('region', { name: 'Suites table' })
        .getByRole('link', { name: 'Catalogue on a phone' })
        .click();
      await page.getByText('Expects the text “900 events”').waitFor();
      await page.locator('details.to-do summary').first().click();
    },
  },
  {
    name: 'key-window',
    path: ({ key }) => `/keys/${key.keyId}`,
    heading: 'Backend',
    async act(page, { key: { key } }) {
      const headers = { Authorization: `Bearer ${key}` };
      const data = { namespace: 'sign-in', identifier: 'user-42', limit: 1, window: 900_000 };
      for (let calls = 0; calls < 3; calls += 1) await page.request.post('/v1/check', { headers, data });
      await page.getByRole('textbox', { name: 'Namespace' }).fill(data.namespace);
      await page.getByRole('textbox', { name: 'Identifier' }).fill(data.identifier);
      await page.getByRole('spinbutton', { name: 'Window' }).fill('15');
      await page.getByRole('button', { name: 'Look up', exact: true }).click();
      await page.getByRole('button', { name: 'Reset window…' }).waitFor();
    },
  },
  { name: 'keys-create', path: '/keys', heading: 'Keys', act: opens('Create key', 'dialog', /./) },
  {
    name: 'keys-revoked-failed',
    path: '/keys',
    heading: 'Keys',
    before: (page) => page.route(/\/v1\/keys(\?.*)?$/, (route) => route.abort()),
    act: (page) => page.getByText('The revoked keys could not be read').waitFor(),
  },
  {
    name: 'keys-month-incomplete',
    path: '/keys',
    heading: 'Keys',
    before: (page) =>
      page.route(/\/v1\/key-overviews/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), daysComplete: false } });
      }),
    act: (page) => page.getByText('More than these had calls this month').waitFor(),
  },
  {
    name: 'members-invite',
    path: '/members',
    heading: 'Members',
    async act(page) {
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.locator('form').first().waitFor();
    },
  },
  {
    name: 'members-actions',
    path: '/members',
    heading: 'Members',
    act: opens(/^Actions for grace/, 'menu', /./),
  },
  {
    name: 'audit-entry',
    path: '/audit',
    heading: 'Audit',
    async act(page) {
      await page.getByRole('rowheader').getByRole('button').first().click();
      await page.locator('.entry').waitFor();
    },
  },
  {
    name: 'workspace-role-lost',
    path: workspace(),
    heading: 'seismic-catalogue',
    visitor: 'member',
    before: lendRole,
    act: loseRole,
  },
  { name: 'audit-member', path: '/audit', heading: 'Audit', visitor: 'member' },
  { name: 'settings-member', path: '/settings', heading: 'Settings', visitor: 'member' },
  {
    name: 'settings-erase',
    path: '/settings',
    heading: 'Settings',
    async act(page) {
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByText('Stops at once').waitFor();
    },
  },
];
