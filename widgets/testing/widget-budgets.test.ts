import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BUILT = join(import.meta.dirname, '../dist/widgets');

/** Bytes of each script with gzip. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  'svcactivate-widget-v0.1.0.js.gz': 4 * 1_024,
  'svcimport-widget-v0.1.0.js.gz': 16 * 1_024,
  'svcimport-fix-v0.1.0.js.gz': 8 * 1_024,
  'svcfeedback-widget-v0.1.0.js.gz': 5 * 1_024,
};

describe('the scripts of the widgets', () => {
  const built = readdirSync(BUILT).filter((name) => name.endsWith('.js.gz'));

  it('all have a budget', () => {
    expect(built.sort()).toEqual(Object.keys(BYTES_MAX).sort());
  });

  it.each(built)('%s keeps to its budget', (name) => {
    expect(statSync(join(BUILT, name)).size).toBeLessThanOrEqual(BYTES_MAX[name] ?? 0);
  });
});
