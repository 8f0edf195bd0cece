import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns what axe finds on a page as it is now: one line for each element that breaks a rule. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Through the debugger, which the page's Content-Security-Policy does not bind. Loading takes as long as the look itself.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return await page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    // What is right is neither described nor brought here: that would take longer than the look.
    const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], selectors: false };
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
    );
  }, WCAG);
}
