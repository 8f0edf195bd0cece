import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ClaimLink } from '../../../../infra/demo/agent.ts';
import { Owner } from '../../../../infra/demo/owner.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { Keyboard } from '../../../testing/keyboard.ts';
import { EMAIL, ORGANIZATION, PASSWORD, type Seeds } from '../../../testing/seeds.ts';

const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const codeOf = ({ claimUrl }: ClaimLink) => new URL(claimUrl).hash.slice(1);

/** Opens a claim link. Its code must have left the address by then. */
async function openLink(page: Page, link: ClaimLink, heading: string): Promise<void> {
  const { pathname, hash } = new URL(link.claimUrl);
  await page.goto(pathname + hash);
  await title(page, heading).waitFor();
  expect(page.url()).not.toContain(codeOf(link));
}

async function attach(page: Page, { confirmCode }: ClaimLink): Promise<void> {
  const field = page.getByLabel('Confirm code');
  // The pointer of a person is at the field first: the button has just had other words below it.
  await field.hover();
  await field.fill(confirmCode);
  await page.getByRole('button', { name: 'Attach workspace' }).click();
}

interface OwnSession {
  readonly organizations: readonly { readonly organizationId: string; readonly role: string }[];
}

/** Makes an owner of another organization a member of the seeded one. Returns a session for which they are a member. */
async function memberWithOrganization(seeds: Seeds, own: string): Promise<string> {
  const cookie = await seeds.signUp(own, `${randomUUID()}@own.example`);
  const code = new URL(await seeds.invitation('member')).hash.slice(1);
  const accepted = await seeds.client.exchange('POST', '/v1/console/invitations/accept', 200, {
    cookie,
    json: { code },
  });
  const joined = accepted.cookie ?? cookie;
  const path = '/v1/console/session';
  const { organizations } = await seeds.client.send<OwnSession>('GET', path, 200, { cookie: joined });
  const organizationId = organizations.find(({ role }) => role === 'member')?.organizationId;
  await seeds.client.send('POST', path, 200, { cookie: joined, json: { organizationId } });
  return joined;
}

describeInBrowser('a claim link', ({ open, seeds }) => {
  it('leads a new person through the sign-up and on, by keyboard alone', async () => {
    const link = await seeds().claimLink(await seeds().preview('for-a-newcomer'));
    const { page } = await open({ cookie: null });
    const keyboard = new Keyboard(page);
    await openLink(page, link, 'Claim a workspace');
    await keyboard.press(page.getByRole('link', { name: 'Create an account' }));
    await keyboard.type(page.getByLabel('Organization'), 'Newcomers');
    await keyboard.type(page.getByLabel('E-mail'), 'new@newcomers.example');
    await keyboard.type(page.getByLabel('Password', { exact: true }), PASSWORD);
    await page.keyboard.press('Enter');
    await title(page, 'Attach for-a-newcomer').waitFor();
    await keyboard.reach(page.getByLabel('Confirm code'));
    await page.keyboard.type(link.confirmCode.toLowerCase());
    await page.keyboard.press('Enter');
    await title(page, 'Claim for-a-newcomer').waitFor();
    await keyboard.press(page.getByRole('link', { name: 'Open workspace' }));
    await title(page, 'for-a-newcomer').waitFor();
    expect(page.url()).not.toContain(codeOf(link));
  });

  it('that is open twice is used once, and both tabs continue with the claim', async () => {
    const preview = await seeds().preview('open-twice');
    const link = await seeds().claimLink(preview);
    const { page, context } = await open();
    const second = await context.newPage();
    for (const tab of [page, second]) await openLink(tab, link, 'Attach open-twice');
    await attach(page, link);
    await title(page, 'Claim open-twice').waitFor();
    await attach(second, link);
    await title(second, 'Claim open-twice').waitFor();
    await expectNoAxeViolations(second);
    await second.getByRole('link', { name: 'Open workspace' }).click();
    await title(second, 'open-twice').waitFor();
  });

  it('continues in another browser, where nothing of the first one is known', async () => {
    const link = await seeds().claimLink(await seeds().preview('two-browsers'));
    const { page: first } = await open({ cookie: null });
    await openLink(first, link, 'Claim a workspace');
    const { page } = await open({ cookie: null });
    await page.goto('/claim');
    await page.getByLabel('Claim link').waitFor();
    await openLink(page, link, 'Claim a workspace');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await title(page, 'Attach two-browsers').waitFor();
    await attach(page, link);
    await title(page, 'Claim two-browsers').waitFor();
  });

  it('does not give another organization what the first one has attached', async () => {
    const preview = await seeds().preview('belongs-to-others');
    const link = await seeds().claimLink(preview);
    const other = await seeds().signUp('Others', `${randomUUID()}@others.example`);
    const { page } = await open();
    await openLink(page, link, 'Attach belongs-to-others');
    await new Owner(seeds().client, other).attach(link);
    await attach(page, link);
    await title(page, 'This workspace belongs to another organization').waitFor();
    await expectNoAxeViolations(page);
    const shown = await page.locator('main').textContent();
    expect(shown).not.toContain('belongs-to-others');
    expect(shown).not.toContain('Others');
    await page.reload();
    await title(page, 'This workspace belongs to another organization').waitFor();
    await page.getByRole('button', { name: 'Use another link' }).click();
    await page.getByLabel('Claim link').waitFor();
    await page.reload();
    await page.getByLabel('Claim link').waitFor();
  });

  it('says that nothing is left to do where the workspace is claimed already', async () => {
    const preview = await seeds().preview('claimed-before');
    await seeds().verifiedResult(preview);
    const link = await seeds().claimLink(preview);
    await seeds().owner.attach(link);
    await seeds().owner.claim(preview.workspaceId);
    const { page } = await open();
    await openLink(page, link, 'claimed-before');
    await page.getByText(`It belongs to ${ORGANIZATION} for good. Nothing is left to do here.`).waitFor();
    expect(await page.locator('[aria-current=step]').count()).toBe(0);
    expect(await page.getByText('With claiming, one step later').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Open workspace' }).click();
    await title(page, 'claimed-before').waitFor();
  });

  it('leads a member on to another organization that they own', async () => {
    const link = await seeds().claimLink(await seeds().preview('two-organizations'));
    const { page } = await open({ cookie: await memberWithOrganization(seeds(), 'Own & Co') });
    await openLink(page, link, 'Claim a workspace');
    await page.getByText('you are a member: send the link to one of them').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Continue for Own & Co, as owner' }).click();
    await title(page, 'Attach two-organizations').waitFor();
    await attach(page, link);
    await page.getByText('Attached to Own & Co').waitFor();
    const { page: elsewhere } = await open();
    await openLink(elsewhere, link, 'This workspace belongs to another organization');
    expect(await elsewhere.getByRole('button', { name: /^Continue for/ }).count()).toBe(0);
  });

  it('ends with the last wrong code, and says how to get another', async () => {
    const link = await seeds().claimLink(await seeds().preview('guessed'));
    const { page } = await open();
    await openLink(page, link, 'Attach guessed');
    const wrong = link.confirmCode === 'AAAA' ? 'BBBB' : 'AAAA';
    for (const left of ['4 attempts', '3 attempts', '2 attempts', '1 attempt']) {
      await attach(page, { ...link, confirmCode: wrong });
      await page.getByText(`That code doesn’t match. ${left} left.`).waitFor();
    }
    await attach(page, { ...link, confirmCode: wrong });
    await title(page, 'This link has ended').waitFor();
    await page.getByText('This command makes a new link').waitFor();
    await expectNoAxeViolations(page);
  });
});

/** Long enough to open the page on a slow machine, and short enough to wait for. */
const LINK_MS = 15_000;

describeInBrowser(
  'a claim link whose hour is over',
  ({ open, seeds }) => {
    it('is refused on the page that is open, and on a page that is opened later', async () => {
      const link = await seeds().claimLink(await seeds().preview('too-late'));
      const { page } = await open();
      await openLink(page, link, 'Attach too-late');
      const state = () =>
        seeds()
          .owner.inspect(link)
          .then(
            () => 'open',
            () => 'ended',
          );
      await expect.poll(state, { interval: 500, timeout: 2 * LINK_MS }).toBe('ended');
      await attach(page, link);
      await title(page, 'This link has ended').waitFor();
      await expectNoAxeViolations(page);
      const { page: later } = await open();
      await openLink(later, link, 'This link has ended');
    });
  },
  { limits: { workspace: { claimLinkMs: LINK_MS } } },
);
