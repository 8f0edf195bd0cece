import type { Page } from 'playwright-core';
import type { Scene } from '../scenes.ts';
import type { SeededWorkspace } from '../seeds.ts';
import type { PastData } from './seed-past.ts';

/** The states of an import that last. The scenes of all services have it ready and in need of a correction. */
const STATUSES = ['reserved', 'uploaded', 'failed', 'approved', 'delivered', 'cancelled', 'expired'] as const;

type Named = 'expired' | 'paused' | 'disconnected' | 'stations';

function of(named: Named, page = '') {
  return (data: PastData) =>
    `/agent-workspaces/${(data[named] satisfies SeededWorkspace).workspaceId}${page}`;
}

function importOf(status: string) {
  return (data: PastData) => of('stations', `/imports/${data.imports[status]}`)(data);
}

/** Shows an import as it is for a moment only: what the service answers, halfway through its validation. */
async function holdValidation(page: Page): Promise<void> {
  await page.route(/\/v1\/.*\/imports\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    const rows = { total: 400, valid: 397, invalid: 3, blank: 0 };
    await route.fulfill({
      response,
      json: { ...status, status: 'validating', rows, progress: { done: 4, total: 9 }, batches: [] },
    });
  });
}

/** States that only time makes, on a service that lived through the weeks before. */
export const PAST_SCENES: readonly Scene<PastData>[] = [
  ...(['expired', 'paused', 'disconnected'] as const).map(
    (state): Scene<PastData> => ({ name: `workspace-${state}`, path: of(state), heading: /./ }),
  ),
  ...(['expired', 'paused', 'disconnected'] as const).map(
    (state): Scene<PastData> => ({
      name: `feedback-${state}`,
      path: of(state, '/feedback?state=all'),
      heading: 'Feedback',
    }),
  ),
  { name: 'workspace-near-limits', path: of('stations'), heading: 'station-network' },
  {
    name: 'workspaces-filtered',
    path: '/agent-workspaces?state=preview&q=zz',
    heading: 'Workspaces',
    act: (page) => page.getByText('No workspaces match').waitFor(),
  },
  { name: 'imports-statuses', path: of('stations', '/imports'), heading: 'Imports' },
  ...STATUSES.map(
    (status): Scene<PastData> => ({
      name: `import-status-${status}`,
      path: importOf(status),
      heading: /./,
    }),
  ),
  {
    name: 'import-status-validating',
    path: importOf('ready'),
    heading: /./,
    before: holdValidation,
    act: (page) => page.getByRole('progressbar').waitFor(),
  },
  { name: 'import-faulty-member', path: importOf('needs_correction'), heading: /./, visitor: 'member' },
  {
    name: 'schema-capabilities',
    path: (data) => of('stations', '/schemas')(data),
    heading: 'Schemas',
    async act(page) {
      await page.getByRole('rowheader').getByRole('link').last().click();
      await page.getByRole('region', { name: 'Capabilities table' }).getByText('Active').first().waitFor();
    },
  },
  {
    name: 'keys-used',
    path: '/keys',
    heading: 'Keys',
    // On a phone the rows have no graph.
    act: (page) =>
      page
        .getByRole('img', { name: /Last 36 hours/, includeHidden: true })
        .first()
        .waitFor({ state: 'attached' }),
  },
];
