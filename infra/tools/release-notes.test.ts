import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVersion } from '../service/version.ts';

const ROOT = join(import.meta.dirname, '../..');

function releaseNotes(...words: readonly string[]) {
  const program = join(import.meta.dirname, 'release-notes.ts');
  return spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
}

describe('npm run release-notes', () => {
  it('prints the notes of the version of package.json, the newest one with a date', () => {
    const version = readVersion();
    const { stdout } = releaseNotes();
    expect(stdout).toMatch(new RegExp(`^svc ${version}, \\d{4}-\\d{2}-\\d{2}\n\n### `));
    expect(stdout).not.toContain('\n## ');
    const [newest] = /^## \d+\.\d+\.\d+/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
    expect(newest).toBe(`## ${version}`);
  });

  it('prints the notes of an older version, and refuses one without notes', () => {
    expect(releaseNotes('0.1.0').stdout).toMatch(/^svc 0\.1\.0, 2026-11-23\n\nThe first version: /);
    expect(releaseNotes('0.1')).toMatchObject({
      status: 1,
      stderr: 'CHANGELOG.md: no section "## 0.1 - DATE"\n',
    });
  });

  it.each(['infra/deployment/Dockerfile', 'infra/deployment/runner.Dockerfile', 'infra/docs/deployment.md'])(
    'finds the same version in the commands of %s',
    (file) => {
      const tags = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bsvc(?:-runner)?:(\d[\w.]*\d)/g)];
      expect(new Set(tags.map(([, tag]) => tag))).toEqual(new Set([readVersion()]));
    },
  );
});
