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
  const { violations } = await page.evaluate<AxeResults, string[]>(
    (tags) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<never> } }).axe.run({
        runOnly: { type: 'tag', values: tags },
      }),
    WCAG,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  );
}
