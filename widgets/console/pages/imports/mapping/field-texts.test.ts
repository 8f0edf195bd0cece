import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../../testing/in-browser.ts';
import { scrolledSideways } from '../../../../testing/sideways.ts';

const FIELDS = [
  {
    key: 'booked',
    type: 'date',
    required: true,
    format: 'DD.MM.YYYY',
    label: 'Booking date',
    description: 'The day on which the bank booked it',
    aliases: ['Buchungstag', '記帳日'],
    example: '31.01.2026',
  },
  { key: 'total', type: 'decimal', required: false },
  { key: 'amount', type: 'decimal', required: false },
];
const FILE = Uint8Array.from(
  Buffer.from('Buchungstag,Total Amount\n05.11.2026,12.50\n06.11.2026,7\n07.11.2026,8\n08.11.2026,9\n'),
);

describeInBrowser('the texts of fields', ({ open, seeds }) => {
  it.each([1_280, 320])('help to map a file and to read its schema, %i px wide', async (width) => {
    const workspace = await seeds().workspace();
    const { agent, workspaceId } = workspace;
    const schema = await agent.configureSchema(randomUUID(), {
      name: 'Statements',
      allowedOrigins: ['https://bank.example'],
      schema: { version: 'svcimport.schema.v1', revision: 1, fields: FIELDS },
    });
    const reservation = await agent.reserveImport(randomUUID(), schema, FILE, 'statement.csv');
    await agent.upload(reservation, FILE);
    const { page } = await open({ viewport: { width, height: 900 } });

    await page.goto(`/agent-workspaces/${workspaceId}/imports/${reservation.importId}`);
    const form = page.getByRole('region', { name: 'Mapping form' });
    const booked = form.getByLabel('Booking date');
    await booked.waitFor();
    expect(await booked.inputValue()).toBe('Buchungstag');
    expect(await form.getByLabel('total').inputValue()).toBe('');
    await form.getByText('The day on which the bank booked it').waitFor();
    await form.getByText('05.11.2026, 06.11.2026, 07.11.2026').waitFor();
    expect(await scrolledSideways(page)).toEqual([]);
    await expectNoAxeViolations(page);

    await page.goto(`/agent-workspaces/${workspaceId}/schemas/${schema.schemaId}`);
    const fields = page.getByRole('region', { name: 'Fields table' });
    await fields.getByText('Also named Buchungstag, 記帳日').waitFor();
    expect(await scrolledSideways(page)).toEqual([]);
    await expectNoAxeViolations(page);
  });
});
