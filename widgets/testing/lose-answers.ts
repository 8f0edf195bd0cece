import type { Page } from 'playwright-core';

/** The changes that a page has sent to an address. */
export interface SentChanges {
  /** The bodies, with the `Idempotency-Key` of each. */
  readonly sent: readonly string[];
}

/**
 * Loses the answers of changes that a page sends to an address, after the service has made them.
 *
 * @param times the number of answers that are lost; the later ones arrive
 */
export async function loseAnswers(page: Page, address: RegExp, times = 1): Promise<SentChanges> {
  const sent: string[] = [];
  await page.route(address, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return await route.fallback();
    const key = (await request.headerValue('idempotency-key')) ?? '';
    sent.push(`${request.method()} ${key} ${request.postData() ?? ''}`);
    if (sent.length > times) return await route.fallback();
    await route.fetch();
    return await route.abort('connectionreset');
  });
  return { sent };
}
