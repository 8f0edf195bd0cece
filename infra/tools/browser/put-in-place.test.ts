import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { CLI, ROOT } from './digest.ts';
import { buildInPlace } from './put-in-place.ts';

it('makes a folder that others may read as any new folder', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'build-'));
  const [place, other] = [join(parent, 'place'), join(parent, 'other')];
  try {
    mkdirSync(other);
    await buildInPlace({ ...CLI, folder: relative(ROOT, place) }, async (folder) =>
      writeFileSync(join(folder, 'file'), ''),
    );
    expect(statSync(place).mode).toBe(statSync(other).mode);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
