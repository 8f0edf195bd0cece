import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';

describeInBrowser('the list of workspaces', ({ open, seeds }) => {
  it('that is empty keeps its filter, with what was typed before that was known', async () => {
    const { page } = await open();
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/console/workspaces?**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/agent-workspaces');
    const filter = page.getByLabel('Filter by name or id');
    await filter.fill('sei');
    held.resolve();
    await page.getByText('Waiting for the first workspace').waitFor();
    await page.keyboard.type('smic');
    expect(await filter.inputValue()).toBe('seismic');
  });

  it('says how the first one is made, and shows it when it arrives', async () => {
    const { page } = await open();
    await openWithClock(page, '/agent-workspaces');
    await page.getByText('Waiting for the first workspace').waitFor();
    await expectNoAxeViolations(page);
    await seeds().workspace('first-arrival');
    await readAgainUntil(page, page.getByRole('link', { name: 'first-arrival' }));
  });

  it('filters by name, id and state in its address, and opens a row by keyboard', async () => {
    const seismic = await seeds().workspace('filter-seismic');
    await seeds().import(seismic);
    await seeds().workspace('filter-tide');
    const { page } = await open();
    await page.goto('/agent-workspaces?q=filter-');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await rows
      .first()
      .getByRole('link', { name: /^Approve [\d,]+ rows$/ })
      .waitFor();
    await page.getByRole('link', { name: 'Workspaces 1 wait for you' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Waits for you 1' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goBack();
    await page.getByLabel('Filter by name or id').fill(seismic.workspaceId);
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('q')).toBe(seismic.workspaceId);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'filter-seismic', level: 1 }).waitFor();
    await page.goto('/agent-workspaces?state=paused');
    await page.getByText('No workspaces match').waitFor();
  });

  it('calls no workspace absent while the rest of the list could not be read', async () => {
    await seeds().workspace('listed-first');
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    // A list of more than one page, of which the second one does not arrive.
    await page.route(/workspace-overviews\?/, async (route) => {
      if (new URL(route.request().url()).searchParams.has('cursor')) return route.abort();
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'next' } });
    });
    await page.goto('/agent-workspaces?q=listed-last');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('No workspaces match').count()).toBe(0);
  });
});

describeInBrowser('a workspace', ({ open, seeds }) => {
  it('shows what waits, is claimed, paused and resumed in place', async () => {
    const seeded = await seeds().workspace('seismic-catalogue');
    await seeds().verifiedResult(seeded);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${seeded.workspaceId}`);
    await page.getByRole('heading', { name: 'Claim this workspace' }).waitFor();
    await page.getByText('Event accepted').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Claim workspace' }).click();
    await page.getByRole('heading', { name: 'No action needed' }).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('heading', { name: 'Resume this workspace' }).waitFor();
    await page.getByRole('button', { name: 'Resume workspace' }).click();
    await page.getByRole('heading', { name: 'No action needed' }).waitFor();
    await page.getByRole('link', { name: 'Show as table' }).click();
    await page.getByRole('columnheader', { name: 'Checklist events' }).waitFor();
    expect(new URL(page.url()).search).toBe('?activity=table');
    await expectNoAxeViolations(page);
  });

  it('shows the tab of the page on a narrow screen, where tabs are wider than it', async () => {
    const seeded = await seeds().workspace('narrow');
    const { page } = await open({ viewport: { width: 320, height: 640 } });
    const right = async (name: string) => {
      const box = await page
        .getByRole('navigation', { name: 'Workspace' })
        .getByRole('link', { name })
        .boundingBox();
      return (box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY);
    };
    await page.goto(`/agent-workspaces/${seeded.workspaceId}`);
    await page.getByRole('heading', { name: 'narrow', level: 1 }).waitFor();
    expect(await right('Checklists')).toBeGreaterThan(320);
    await page.goto(`/agent-workspaces/${seeded.workspaceId}/checklists`);
    await page.getByText('No checklist yet').waitFor();
    await expect.poll(() => right('Checklists')).toBeLessThanOrEqual(320);
  });

  it('creates a credential that is shown once, rotates and revokes it', async () => {
    const seeded = await seeds().workspace('credentials');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${seeded.workspaceId}`);
    await page.getByRole('button', { name: 'Create credential' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create credential' });
    await dialog.getByLabel('Name').fill('catalogue-backend');
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Create credential' }).click();
    const once = page.getByRole('region', { name: 'Secret of “catalogue-backend”' });
    const secret = (await once.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^svc_project_/);
    const works = async () => {
      const { status } = await fetch(new URL('/v1/agent/workspace', page.url()), {
        headers: { Authorization: `Bearer ${secret}` },
      });
      return status;
    };
    expect(await works()).toBe(200);
    await page.keyboard.press('Escape');
    await expectNoAxeViolations(page);
    await once.getByLabel('I have stored it where the agent or backend reads it').check();
    await once.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Rotate catalogue-backend' }).click();
    await page.getByRole('dialog').getByLabel('Overlap').selectOption('1');
    await page.getByRole('button', { name: 'Rotate credential' }).click();
    await page.getByText('The old secret keeps working for 1 hour').waitFor();
    expect(await works()).toBe(200);
    await page.getByRole('button', { name: 'Revoke catalogue-backend' }).click();
    await page.getByRole('button', { name: 'Revoke credential' }).click();
    await page.getByRole('rowheader', { name: 'catalogue-backend' }).waitFor({ state: 'detached' });
    expect(await works()).toBe(401);
  });

  it('shows the new state after another person has changed it', async () => {
    const seeded = await seeds().workspace('two-people');
    await seeds().verifiedResult(seeded);
    const { workspaceId } = seeded;
    await seeds().owner.claim(workspaceId);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.waitFor();
    const path = `/v1/console/workspaces/${workspaceId}/disconnect`;
    const { client, cookie } = seeds();
    await client.send('POST', path, 200, { cookie, json: { confirm: 'two-people' } });
    await pause.click();
    await page.getByText('Disconnected', { exact: true }).waitFor();
    expect(await pause.count()).toBe(0);
  });

  it('is erased after its name was typed, and shows nothing when a person goes back', async () => {
    const seeded = await seeds().workspace('erase-me');
    const { page } = await open();
    await page.goto('/agent-workspaces?q=erase-me');
    await page.getByRole('link', { name: 'erase-me' }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const confirm = page.getByRole('button', { name: 'Erase workspace' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type erase-me to erase it').fill('erase-me');
    await expectNoAxeViolations(page);
    await confirm.click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.goto(`/agent-workspaces/${seeded.workspaceId}`);
    await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('is looked at by members, who change nothing', async () => {
    const { workspaceId } = await seeds().workspace('for-members');
    const cookie = await seeds().join('member', 'mem@northwind.example');
    const { page } = await open({ cookie });
    await page.goto(`/agent-workspaces/${workspaceId}`);
    await page.getByText('An owner or admin creates, rotates and revokes credentials.').waitFor();
    expect(await page.getByRole('button', { name: 'Create credential' }).count()).toBe(0);
    await page.getByText('Only an owner of the organization erases a workspace.').waitFor();
    await expectNoAxeViolations(page);
  });
});
