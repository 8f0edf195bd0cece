import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { EMAIL, PASSWORD } from '../../../testing/seeds.ts';

describeInBrowser('a claim', ({ open, seeds }) => {
  it('survives the sign-in, takes the confirm code, attaches and claims', async () => {
    const preview = await seeds().preview('claim-me');
    await seeds().verifiedResult(preview);
    const link = await seeds().claimLink(preview);
    const code = new URL(link.claimUrl).hash.slice(1);
    const { page } = await open({ cookie: null });
    await page.goto(`/claim#${code}`);
    await page.getByRole('heading', { name: 'Claim a workspace' }).waitFor();
    expect(page.url()).not.toContain(code);
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('heading', { name: 'Attach claim-me' }).waitFor();
    await page.getByText('Agent, provision token').waitFor();
    await page.getByRole('row', { name: /^Checklist .+ https:\/\/\S+ Not proved$/ }).waitFor();
    await expectNoAxeViolations(page);
    const wrong = link.confirmCode === 'AAAA' ? 'BBBB' : 'AAAA';
    await page.getByLabel('Confirm code').fill(wrong);
    await page.getByRole('button', { name: 'Attach workspace' }).click();
    await page.getByText('That code doesn’t match. 4 attempts left.').waitFor();
    await page.getByLabel('Confirm code').fill(link.confirmCode);
    await page.reload();
    expect(await page.getByLabel('Confirm code').inputValue()).toBe(link.confirmCode);
    await page.getByRole('button', { name: 'Attach workspace' }).click();
    await page.getByRole('heading', { name: 'Claim claim-me' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toMatch(/^Attached to /);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Claim workspace' }).click();
    await page.getByRole('heading', { name: 'claim-me', level: 1 }).waitFor();
    await page.getByText('Free', { exact: true }).waitFor();
    await expect.poll(focused).toBe('claim-me');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('whose session has ended asks to sign in, and keeps link and code', async () => {
    const preview = await seeds().preview('ended-meanwhile');
    const link = await seeds().claimLink(preview);
    const cookie = await seeds().signIn();
    const { page } = await open({ cookie });
    await page.goto(`/claim#${new URL(link.claimUrl).hash.slice(1)}`);
    await page.getByLabel('Confirm code').fill(link.confirmCode);
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    await page.getByRole('button', { name: 'Attach workspace' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Attach ended-meanwhile' }).waitFor();
    expect(await page.getByLabel('Confirm code').inputValue()).toBe(link.confirmCode);
  });

  it('that is opened while the service is away continues once it answers', async () => {
    const link = await seeds().claimLink(await seeds().preview('opened-too-early'));
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    const service = /\/(v1|livez)\b/;
    await page.route(service, (route) => route.abort());
    await page.goto(`/claim#${new URL(link.claimUrl).hash.slice(1)}`);
    await page.getByText('The service cannot be reached').first().waitFor();
    await expectNoAxeViolations(page);
    await page.unroute(service);
    await page.getByRole('heading', { name: 'Attach opened-too-early' }).waitFor();
  });

  it('says why a workspace cannot be claimed yet, and what makes a result', async () => {
    const preview = await seeds().preview('no-result');
    const link = await seeds().claimLink(preview);
    await seeds().owner.attach(link);
    const { page } = await open();
    await page.goto(new URL(link.claimUrl).pathname + new URL(link.claimUrl).hash);
    await page.getByRole('heading', { name: 'Claim no-result' }).waitFor();
    await page.getByText('Nothing in the workspace has been verified yet').waitFor();
    expect(await page.getByRole('button', { name: 'Claim workspace' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await page.getByText('Run this to get a verified result').waitFor();
    await expectNoAxeViolations(page);
  });

  it('with a link that a newer one replaced leads to the command for the next one', async () => {
    const preview = await seeds().preview('replaced');
    const old = await seeds().claimLink(preview);
    await seeds().claimLink(preview);
    const { page } = await open();
    await page.goto(`/claim#${new URL(old.claimUrl).hash.slice(1)}`);
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Use another link' }).click();
    await page.getByLabel('Claim link').fill('https://elsewhere.example/');
    await page.getByRole('button', { name: 'Review workspace' }).click();
    await page.getByText('This is not a claim link').waitFor();
  });

  it('is refused to members', async () => {
    const link = await seeds().claimLink(await seeds().preview('members-look'));
    const cookie = await seeds().join('member', 'member@northwind.example');
    const { page } = await open({ cookie });
    await page.goto(`/claim#${new URL(link.claimUrl).hash.slice(1)}`);
    await page.getByText('An owner or admin attaches workspaces').waitFor();
    expect(await page.getByText('members-look').count()).toBe(0);
    await expectNoAxeViolations(page);
  });
});
