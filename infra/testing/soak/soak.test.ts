import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('loads and restarts the embedded engine, and finds neither an error nor a loss nor growth', async () => {
  const result = await soak({ engine: 'embedded', seconds: 20, perSecond: 30, report: () => undefined });
  expect(result.findings).toEqual([]);
  expect(result.series.filter(({ holds }) => !holds)).toEqual([]);
});
