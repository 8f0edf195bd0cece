import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../../schemas/products.ts';
import type { ProductWork } from '../../../schemas/workspaces/product.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { deployedProcesses } from '../../deployment/kubernetes/processes.fixture.ts';
import { ENDLESS_LOOPS } from './at-the-bound.ts';
import { endlessLoops, readBounds } from './read-bounds.ts';
import { outdated, unexplained, withTables } from './table.ts';

const document = readFileSync(new URL('../../docs/bounds.md', import.meta.url), 'utf8');

/** Readers that run in the workers. */
const WORKERS = PRODUCTS.flatMap(({ topic, works }) =>
  Object.values<ProductWork>(works).map(({ reader }) => `processors/${topic}/${reader}`),
);

describe('infra/docs/bounds.md', () => {
  it('has every named bound with the value that the sources give it', () => {
    expect(document).toBe(withTables(document));
  });

  it('says what happens at each of them', () => {
    expect({ unexplained: unexplained(), outdated: outdated() }).toEqual({ unexplained: [], outdated: [] });
  });

  it('says what a processor of the manifests holds of records, which is less than half of what it may have', () => {
    const partitions = Object.values(TOPICS)
      .flatMap(({ readers, partitions: count }) => readers.map((reader) => ({ reader, count })))
      .filter(({ reader }) => reader.startsWith('processors/') && !WORKERS.includes(reader))
      .reduce((sum, { count }) => sum + count, 0);
    const values = new Map(readBounds().map(({ file, name, value }) => [`${file}#${name}`, value]));
    const mib = (place: string) => (values.get(place) ?? Number.NaN) / (1_024 * 1_024);
    const most =
      mib('infra/engines/shared/record-memory.ts#RECORDS_TOGETHER_BYTES_MAX') +
      partitions *
        (mib('infra/engines/shared/record-memory.ts#GUARANTEED_BYTES_A_PARTITION') +
          mib('infra/engines/kafka/group-member.ts#PARTITION_FETCH_BYTES_MAX'));
    expect(document).toContain(`all ${partitions} partitions`);
    expect(document).toContain(`records and fetches are ${most} MiB at most`);
    const processors = deployedProcesses().find(({ name }) => name.includes('processors'));
    expect(2 * most).toBeLessThan(Number.parseInt(processors?.container.resources.limits.memory ?? '', 10));
  });

  it('says what ends each loop without a condition', () => {
    expect(endlessLoops()).toEqual(Object.keys(ENDLESS_LOOPS).sort());
  });
});

describe('readBounds', () => {
  it('computes values from constants of the same and of other files', () => {
    const values = new Map(readBounds().map(({ file, name, value }) => [`${file}#${name}`, value]));
    expect(values.get('schemas/base/time.ts#DAY_MS')).toBe(86_400_000);
    expect(values.get('gateway/billing/signature.ts#SIGNATURE_TOLERANCE_MS')).toBe(300_000);
    expect(values.get('processors/runtime/command-handler.ts#BATCH_BYTES_MAX')).toBe(262_144);
  });

  it('takes the comment of a constant', () => {
    const [bound] = readBounds().filter(({ name }) => name === 'FAULTS_SHOWN_MAX');
    expect(bound?.comment).toMatch(/^The number of faults that one answer names/);
  });
});
