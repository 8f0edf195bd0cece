import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { writeWidgets } from './build-widgets.ts';
import { ROOT, WIDGETS } from './digest.ts';

it('a second build has the bytes that are served, and names no folder', async () => {
  // As the program that builds them sets it.
  vi.stubEnv('NODE_ENV', 'production');
  const made = mkdtempSync(join(tmpdir(), 'svc-widgets-'));
  onTestFinished(() => {
    rmSync(made, { recursive: true });
    vi.unstubAllEnvs();
  });
  await writeWidgets(made);
  const names = readdirSync(made);
  expect(names.filter((name) => name.endsWith('.js'))).toHaveLength(9);
  for (const name of names) {
    const bytes = readFileSync(join(made, name));
    expect(readFileSync(join(ROOT, WIDGETS.folder, name)).equals(bytes), name).toBe(true);
    expect(bytes.includes(ROOT) || bytes.includes(made), name).toBe(false);
  }
});
