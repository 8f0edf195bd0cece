import { expect, it } from 'vitest';
import { afterOther } from '../../../testing/after-other.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { Keyboard } from '../../../testing/keyboard.ts';

describeInBrowser('a workspace on which two people act', ({ open, seeds }) => {
  async function claimed(name: string) {
    const workspace = await seeds().workspace(name);
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    return workspace;
  }

  /** Acts as the other person. */
  async function change(workspaceId: string, action: 'pause' | 'disconnect' | 'erase', name: string) {
    const { client, cookie } = seeds();
    const json = action === 'pause' ? {} : { confirm: name };
    await client.send('POST', `/v1/console/workspaces/${workspaceId}/${action}`, 200, { cookie, json });
  }

  it('says what has changed when a pause comes too late, and offers what is possible now', async () => {
    const { workspaceId } = await claimed('late-pause');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.waitFor();
    await afterOther(
      page,
      () => change(workspaceId, 'disconnect', 'late-pause'),
      () => pause.click(),
    );
    await page.getByRole('alert').getByText('Another person has changed this workspace').waitFor();
    await page
      .getByRole('alert')
      .getByText('It is disconnected now. The page shows the new state.')
      .waitFor();
    await page.locator('.head .badge', { hasText: 'Disconnected' }).waitFor();
    expect(await pause.count()).toBe(0);
    await page.getByRole('button', { name: 'Erase…' }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('says what has changed when a resume comes too late', async () => {
    const { workspaceId } = await claimed('late-resume');
    await change(workspaceId, 'pause', 'late-resume');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const resume = page.getByRole('button', { name: 'Resume workspace' });
    await resume.waitFor();
    await afterOther(
      page,
      () => change(workspaceId, 'disconnect', 'late-resume'),
      () => resume.click(),
    );
    await page.getByRole('heading', { name: 'No action needed' }).waitFor();
    await page
      .getByRole('alert')
      .getByText('It is disconnected now. The page shows the new state.')
      .waitFor();
    await expectNoAxeViolations(page);
  });

  it('takes the second of two equal decisions for the first', async () => {
    const workspace = await seeds().workspace('claimed-twice');
    await seeds().verifiedResult(workspace);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
    const claim = page.getByRole('button', { name: 'Claim workspace' });
    await claim.waitFor();
    await afterOther(
      page,
      () => seeds().owner.claim(workspace.workspaceId),
      () => claim.click(),
    );
    await page.getByRole('heading', { name: 'No action needed' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('leaves nothing on the page of a workspace that another person has erased', async () => {
    const { workspaceId } = await claimed('erased-by-other');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.waitFor();
    await afterOther(
      page,
      () => change(workspaceId, 'erase', 'erased-by-other'),
      () => pause.click(),
    );
    await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
    expect(await page.locator('main').getByText('erased-by-other').count()).toBe(0);
    await page.goto('/agent-workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
  });

  it('refuses a person whose role was taken away, and says what the role does', async () => {
    const { workspaceId } = await claimed('role-lost');
    const email = 'henry@northwind.example';
    const cookie = await seeds().join('admin', email);
    const { page } = await open({ cookie });
    const keyboard = new Keyboard(page);
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.waitFor();
    await afterOther(
      page,
      () => demote(email),
      () => keyboard.press(pause),
    );
    await page.getByRole('alert').getByText('You are a member of').waitFor();
    await expect.poll(() => pause.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('Only an owner of the organization erases a workspace.').waitFor();
    expect(await page.getByRole('button', { name: 'Create credential' }).count()).toBe(0);
    expect(await seeds().owner.workspace(workspaceId)).toMatchObject({ state: 'active' });
    await expectNoAxeViolations(page);
  });

  async function demote(email: string): Promise<void> {
    const { client, cookie } = seeds();
    interface List {
      readonly members: readonly { readonly userId: string; readonly email: string }[];
    }
    const { members } = await client.send<List>('GET', '/v1/console/members', 200, { cookie });
    const { userId } = members.find((member) => member.email === email) ?? { userId: 'none' };
    await client.send('PATCH', `/v1/console/members/${userId}`, 200, { cookie, json: { role: 'member' } });
  }
});
