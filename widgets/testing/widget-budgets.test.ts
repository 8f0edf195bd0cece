import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BUILT = join(import.meta.dirname, '../dist/widgets');

/** Bytes of each script as `gzip -9` makes them, with its name. Node's own zlib makes fewer. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  'svcactivate-widget-v0.1.0.js': 4.5 * 1_024,
  'svcimport-widget-v0.1.0.js': 16 * 1_024,
  'svcimport-fix-v0.1.0.js': 18 * 1_024,
  'svcimport-legacy-v0.1.0.js': 4 * 1_024,
  'svcimport-ask-v0.1.0.js': 6 * 1_024,
  'svcimport-columns-v0.1.0.js': 4 * 1_024,
  'svcimport-values-v0.1.0.js': 12 * 1_024,
  'svcimport-check-v0.1.0.js': 16 * 1_024,
  'svcfeedback-widget-v0.1.0.js': 5.5 * 1_024,
};

describe('the scripts of the widgets', () => {
  const built = readdirSync(BUILT).filter((name) => name.endsWith('.js'));

  it('all have a budget', () => {
    expect(built.sort()).toEqual(Object.keys(BYTES_MAX).sort());
  });

  it.each(built)('%s keeps to its budget', (name) => {
    const { length } = execFileSync('gzip', ['-9', '-c', join(BUILT, name)]);
    expect(length).toBeLessThanOrEqual(BYTES_MAX[name] ?? 0);
  });
});
