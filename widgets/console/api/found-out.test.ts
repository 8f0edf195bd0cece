import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createWidget, sendFeedback } from '../../testing/feedback-seeds.ts';
import { type ConsoleUnderTest, describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';
import { loseAnswers } from '../../testing/lose-answers.ts';

/** The browser notes each request without an answer. */
const NO_ANSWER = /ERR_CONNECTION_RESET/;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** An act on the page that `open` leads to. */
interface Act {
  readonly open: (page: Page) => Promise<void>;
  /** The address of the request. */
  readonly route: RegExp;
  readonly press: (page: Page) => Promise<void>;
  /** The text that says that it was done. */
  readonly done: string;
}

/** The acts without a secret, one of each kind of finding out at least. */
function actsOf({ seeds }: Pick<ConsoleUnderTest, 'seeds'>): Readonly<Record<string, Act>> {
  const claimed = async (name: string) => {
    const workspace = await seeds().workspace(name);
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    return workspace;
  };
  const confirm = async (page: Page, open: RegExp | string, verb: string) => {
    await page.getByRole('button', { name: open }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
  };
  return {
    'pause a workspace': {
      open: async (page) =>
        void (await page.goto(`/agent-workspaces/${(await claimed('lost-pause')).workspaceId}`)),
      route: /\/pause$/,
      press: (page) => button(page, 'Pause').click(),
      done: 'lost-pause is paused',
    },
    'revoke a key': {
      open: async (page) => void (await page.goto(`/keys/${(await seeds().key()).keyId}`)),
      route: /\/v1\/keys\/key_[^/]+$/,
      press: (page) => confirm(page, 'Revoke…', 'Revoke key'),
      done: 'is revoked',
    },
    'revoke a credential': {
      open: async (page) =>
        void (await page.goto(`/agent-workspaces/${(await seeds().workspace('lost-revoke')).workspaceId}`)),
      route: /\/credentials\/[^/]+$/,
      press: (page) => confirm(page, 'Revoke Agent', 'Revoke credential'),
      done: 'Agent is revoked',
    },
    'revoke an invitation': {
      open: async (page) => {
        await seeds().invitation('member');
        await page.goto('/members');
      },
      route: /\/invitations\/[^/]+$/,
      press: (page) => confirm(page, /^Revoke the invitation/, 'Revoke invitation'),
      done: 'Invitation revoked',
    },
    'set a role': {
      open: async (page) => {
        await seeds().join('member', 'promoted@example.com');
        await page.goto('/members');
      },
      route: /\/members\/[^/]+$/,
      press: async (page) => {
        await button(page, 'Actions for promoted@example.com').click();
        await page.getByRole('menuitem', { name: /^Make admin/ }).click();
      },
      done: 'promoted@example.com is admin now',
    },
    'remove a member': {
      open: async (page) => {
        await seeds().join('member', 'removed@example.com');
        await page.goto('/members');
      },
      route: /\/members\/[^/]+$/,
      press: async (page) => {
        await button(page, 'Actions for removed@example.com').click();
        await page.getByRole('menuitem', { name: 'Remove' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      },
      done: 'removed@example.com removed',
    },
    'mark feedback as done': {
      open: async (page) => {
        const workspace = await seeds().workspace('lost-feedback');
        const widgetId = await createWidget(seeds(), workspace);
        await sendFeedback(seeds(), widgetId, { message: 'A message' });
        await page.goto(`/agent-workspaces/${workspace.workspaceId}/feedback`);
        await page.getByRole('rowheader', { name: 'A message' }).getByRole('button').click();
      },
      route: /\/submissions\/[^/]+$/,
      press: (page) => button(page, 'Mark as done').click(),
      done: 'marked as done',
    },
    'approve an import': {
      open: async (page) => {
        const workspace = await claimed('lost-approval');
        const { importId } = await seeds().import(workspace);
        await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
      },
      route: /\/approve$/,
      press: (page) => page.getByRole('button', { name: /^Approve [\d,]+ rows?$/ }).click(),
      done: 'approved',
    },
    'start the subscription': {
      open: async (page) => void (await page.goto('/keys')),
      route: /\/v1\/subscription$/,
      press: (page) => button(page, 'Start subscription').click(),
      done: 'Subscription started',
    },
    'end a session': {
      open: async (page) => {
        await seeds().signIn();
        await page.goto('/settings');
      },
      route: /\/sessions\/[^/]+$/,
      press: (page) => confirm(page, 'End session', 'End session'),
      done: 'Session ended',
    },
  };
}

describeInBrowser('an act whose answer was lost', ({ open, seeds }) => {
  const acts = actsOf({ seeds });
  // The subscription starts before a key of another test needs it.
  const names = Object.keys(acts).toSorted(
    (one, other) => Number(/key/.test(one)) - Number(/key/.test(other)),
  );

  it.each(names)('%s: is found out, and shown as done', async (name) => {
    const act = acts[name] as Act;
    const { page, faults } = await open();
    faults.allow(NO_ANSWER);
    await act.open(page);
    await loseAnswers(page, act.route);
    await act.press(page);
    await page.locator('.toast', { hasText: act.done }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('repeats the verb that failed, whatever the page has read since', async () => {
    const workspace = await seeds().workspace('same-verb');
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    const { page, faults } = await open();
    faults.allow(NO_ANSWER);
    const { sent } = await loseAnswers(page, /\/pause$/, 2);
    const resumed = await loseAnswers(page, /\/resume$/, 2);
    await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
    const badge = page.locator('.head .badge');
    await button(page, 'Pause').click();
    await page.getByText('It is not known whether this was done').waitFor();
    await badge.filter({ hasText: 'Paused' }).waitFor();
    await expectNoAxeViolations(page);
    await button(page, 'Try again').click();
    await page.locator('.toast', { hasText: 'same-verb is paused' }).waitFor();
    expect(sent).toHaveLength(3);
    expect(resumed.sent).toEqual([]);
    await badge.filter({ hasText: 'Paused' }).waitFor();
    await button(page, 'Resume').click();
    await page.getByText('It is not known whether this was done').waitFor();
    await badge.filter({ hasText: 'Active' }).waitFor();
    await button(page, 'Try again').click();
    await page.locator('.toast', { hasText: 'same-verb is active again' }).waitFor();
    expect(sent).toHaveLength(3);
  });
});
