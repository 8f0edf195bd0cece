import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';

/** The live keys whose days the service adds up. */
const KEYS_SUMMED = 100;

describeInBrowser('the month of more keys than the service adds up', ({ open, seeds }) => {
  it('says under the days that they miss some, once they do', async () => {
    const { client, owner } = seeds();
    const json = { namespace: 'login', identifier: 'user-42', limit: 1_000, window: 60_000 };
    const callNewKey = async () => {
      const { keyId, key } = await seeds().key();
      await client.send('POST', '/v1/check', 200, { bearer: key, json });
      await owner.revokeKey(keyId);
    };
    for (let keys = 1; keys < KEYS_SUMMED; keys += 1) await callNewKey();
    const { key } = await seeds().key();
    await client.send('POST', '/v1/check', 200, { bearer: key, json });
    const { page } = await open();
    await openWithClock(page, '/keys');
    const missing = page.getByText('More than these had calls this month');
    await page.getByRole('heading', { name: 'Live calls in' }).waitFor();
    expect(await missing.count()).toBe(0);
    await callNewKey();
    await readAgainUntil(page, missing);
    await expectNoAxeViolations(page);
  });
});
