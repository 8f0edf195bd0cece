import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createChecklist } from '../../infra/demo/checklist.ts';
import { Owner } from '../../infra/demo/owner.ts';
import { describeInBrowser } from '../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from './pages/imports/imports.fixture.ts';

/** The longest name of anything that has one. */
const WIDE = 'W'.repeat(80);
/** A name of a column, and of a value. */
const WIDER = 'customer_portal_production_eu_central_'.repeat(4).slice(0, 128);
const ARABIC = 'بوابة_العملاء_للإنتاج_'.repeat(4).slice(0, 80);

const WIDTHS = [320, 640, 1_280];

/** Returns what of a page is outside of it: itself, and controls that no bar scrolls to. */
async function outside(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const controls = [
      ...document.querySelectorAll<HTMLElement>('main :is(h1, h2, .actions, .actions *, .crumbs *)'),
    ];
    const gone = controls.filter((each) => {
      const { left, right, width } = each.getBoundingClientRect();
      return width > 1 && !each.matches('.vh') && (left < -1 || right > clientWidth + 1);
    });
    const names = gone.map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 12)}`);
    return scrollWidth > clientWidth ? [`the page by ${scrollWidth - clientWidth} px`, ...names] : names;
  });
}

describeInBrowser('a name without a blank', ({ open, seeds }) => {
  async function fill(name: string) {
    const { client } = seeds();
    const cookie = await seeds().signUp(name, `${randomUUID()}@long.example`);
    const owner = new Owner(client, cookie);
    const workspace = await seeds().preview(name);
    await owner.attach(await seeds().claimLink(workspace));
    const { importId, schemaId } = await validateFile(seeds(), workspace, {
      name,
      headers: [WIDER, ...HEADERS.slice(1)],
      rows: [[WIDER, '4,6', '', ''], ...testRows(3)],
    });
    const steps = [
      { key: 'connect', label: 'W'.repeat(40), description: 'W'.repeat(80), actionPath: '/connect' },
    ];
    const configuration = { name, allowedOrigins: ['https://observatory.example'] as const, steps };
    const checklistId = await createChecklist(client, workspace.agent.workspace, randomUUID(), configuration);
    const at = `/v1/console/workspaces/${workspace.workspaceId}`;
    const post = (path: string, json: object) => client.send('POST', path, 201, { cookie, json });
    await post(`${at}/credentials`, { idempotencyKey: randomUUID(), name });
    await post('/v1/keys', { idempotencyKey: randomUUID(), product: 'limiter', mode: 'test', name });
    await post(`${at}/schemas/${schemaId}/capabilities`, {
      idempotencyKey: randomUUID(),
      name,
      origin: 'https://observatory.example',
      expiresInDays: 1,
      delegateApproval: false,
    });
    const suiteId = await createSuite(workspace.agent.workspace, name);
    return { cookie, workspaceId: workspace.workspaceId, importId, schemaId, checklistId, suiteId };
  }

  async function createSuite(
    { installationId, credential }: { installationId: string; credential: string },
    name: string,
  ) {
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
    const origin = `https://${'w'.repeat(60)}.example`;
    const { originId } = await post('/origins', { origin, verificationMethod: 'well_known_file' });
    const { accessProfileId } = await post('/access-profiles', { originId, name, device: 'mobile' });
    const flows = [{ name, steps: [{ action: 'goto', url: `${origin}/` }], timeoutMs: 20_000 }];
    return (await post('/suites', { originId, accessProfileId, name, flows }))['suiteId'];
  }

  it.each([WIDE, ARABIC])('breaks no page: %s', async (name) => {
    const { cookie, workspaceId, importId, schemaId, checklistId, suiteId } = await fill(name);
    const { page } = await open({ cookie });
    const workspace = `/agent-workspaces/${workspaceId}`;
    const broken: string[] = [];
    for (const path of [
      '/agent-workspaces',
      workspace,
      `${workspace}/imports`,
      `${workspace}/imports/${importId}`,
      `${workspace}/schemas`,
      `${workspace}/schemas/${schemaId}`,
      `${workspace}/checklists`,
      `${workspace}/checklists/${checklistId}`,
      `${workspace}/feedback`,
      `${workspace}/checks`,
      `${workspace}/checks?suite=${suiteId}`,
      '/keys',
      '/members',
      '/audit',
      '/settings',
    ]) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      await expect.poll(() => page.locator('main [aria-busy=true], main .bone').count()).toBe(0);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        broken.push(...(await outside(page)).map((what) => `${path} at ${width}: ${what}`));
      }
    }
    expect(broken.map((each) => each.replace(workspaceId, '…'))).toEqual([]);
  });
});
