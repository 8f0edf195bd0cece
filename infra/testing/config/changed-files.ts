// Finds what a change affects, for `npm test -- --changed`. Vitest follows imports, but a test of a real process or of a page
// imports none of what it tests.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { GitVCSProvider, type VCSProvider } from 'vitest/node';

const E2E = 'infra/testing/e2e';
/** The main end-to-end test of a product, where it has another name. */
const JOURNEYS: Readonly<Record<string, string>> = {
  activate: 'checklists/checklists',
  audit: 'people/audit',
  keys: 'limits/api-keys',
  limiter: 'limits/limiter-keys',
  operations: 'operations/dead-letters',
  organizations: 'people/accounts',
  usage: 'limits/metering',
  workspaces: 'workspaces/workspaces-states',
};

/** The files that git lists as changed, and the tests that go with them. */
export const CHANGED_FILES: VCSProvider = {
  async findChangedFiles(options) {
    const { root } = options;
    const changed = await new GitVCSProvider().findChangedFiles(options);
    return [...new Set(changed.flatMap((file) => [file, ...testsOf(relative(root, file), root)]))];
  },
};

/** Returns the tests beside a file, and the main test of its product over HTTP. */
export function testsOf(file: string, root: string): string[] {
  const folder = dirname(file);
  const beside = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const product = /^(?:schemas|gateway|processors)\/([^/]+)\//.exec(file)?.[1] ?? '';
  const journey = `${E2E}/${JOURNEYS[product] ?? `${product}/${product}`}.test.ts`;
  return [
    ...beside.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name)),
    ...(existsSync(join(root, journey)) ? [journey] : []),
  ];
}
