import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../../../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from '../../pages/imports/imports.fixture.ts';

interface Capabilities {
  readonly downloads: readonly { readonly name: string; readonly url: string; readonly integrity: string }[];
}

describeInBrowser('the tags of a widget', ({ open, seeds }) => {
  /** The tags are folded until a person wants to copy one. */
  function unfold(page: Page): Promise<void> {
    return page.getByText('Tags to copy').click();
  }

  /** Asserts that the page shows the digest of a script, and the tag that has it. */
  async function expectDigest(page: Page, product: string): Promise<void> {
    const { downloads } = await seeds().client.send<Capabilities>('GET', '/v1/agent/capabilities', 200);
    const script = downloads.find(
      ({ name }) => name.startsWith(`${product}-widget-`) && name.endsWith('.js'),
    );
    const { url, integrity } = script ?? { url: 'no script', integrity: 'no digest' };
    await page.getByText(integrity, { exact: true }).waitFor();
    await page.getByText(`src="${url}" integrity="${integrity}" crossorigin="anonymous"`).waitFor();
  }

  it('stand on the pages of checklists and schemas with the digest of the script', async () => {
    const workspace = await seeds().workspace();
    await seeds().verifiedResult(workspace);
    const { schemaId } = await validateFile(seeds(), workspace, {
      name: 'Events',
      headers: HEADERS,
      rows: testRows(3),
    });
    const at = `/agent-workspaces/${workspace.workspaceId}`;
    const { page } = await open();
    await page.goto(`${at}/checklists`);
    await page.getByRole('rowheader').getByRole('link').first().click();
    await unfold(page);
    await expectDigest(page, 'svcactivate');
    await page.getByText('/v1/activate/widget.v1.js').waitFor();
    await page.goto(`${at}/schemas/${schemaId}`);
    await unfold(page);
    await expectDigest(page, 'svcimport');
  });

  it('are asked for again when they could not be read', async () => {
    const workspace = await seeds().workspace();
    await seeds().verifiedResult(workspace);
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.route('**/v1/agent/capabilities', (route) => route.abort());
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/checklists`);
    await page.getByRole('rowheader').getByRole('link').first().click();
    await unfold(page);
    await page.getByText('The tags could not be read').waitFor();
    await page.unroute('**/v1/agent/capabilities');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectDigest(page, 'svcactivate');
    expect(await page.getByText('The tags could not be read').count()).toBe(0);
  });
});
