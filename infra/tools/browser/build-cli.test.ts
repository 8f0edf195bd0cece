import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BUN } from '../../../schemas/base/bun.ts';
import { writeReleases } from './build-cli.ts';
import { CLI, ROOT } from './digest.ts';

/** A seventh of the larger one corrects files, as the import widget does. */
const BUNDLE_BYTES_MAX = 352_000;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Copies the sources into a new folder and builds them there. */
async function buildElsewhere(prefix: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), prefix));
  folders.push(root);
  for (const folder of ['cli', 'schemas']) {
    cpSync(join(ROOT, folder), join(root, folder), {
      recursive: true,
      filter: (source) => !source.includes('/dist'),
    });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const made = join(root, 'made');
  mkdirSync(made);
  await writeReleases(root, made);
  return made;
}

const PAGE_PROGRAM = readFileSync(join(ROOT, 'cli/activate/page-program.ts'), 'utf8');

describe('writeReleases', () => {
  it('makes the same bytes in other folders, which are the bytes that are served', async () => {
    const [first, second] = [await buildElsewhere('a-'), await buildElsewhere('a-much-longer-name-')];
    const names = readdirSync(first);
    expect(names).toContain('svc-cli-v0.2.0.js');
    expect(readdirSync(second)).toEqual(names);
    for (const name of names) {
      const bytes = readFileSync(join(first, name));
      expect(readFileSync(join(second, name)).equals(bytes), name).toBe(true);
      expect(readFileSync(join(ROOT, CLI.folder, name)).equals(bytes), name).toBe(true);
      expect(bytes.includes(first) || bytes.includes(ROOT), name).toBe(false);
    }
  });

  it('makes files that start fast: small ones, which load modules of the runtime when they need them', () => {
    const folder = join(ROOT, CLI.folder);
    const bundles = readdirSync(folder).filter((name) => /^svc-cli-.*\.js$/.test(name));
    expect(bundles).not.toEqual([]);
    for (const name of bundles) {
      expect(statSync(join(folder, name)).size, name).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text.startsWith(`#!/usr/bin/env -S ${BUN}\n// @bun\n/*\n`), name).toBe(true);
      // Not the text itself: a failure would print all of it. The only imports are those of the page that the tool prints.
      expect(nodeImports(text), name).toEqual(nodeImports(PAGE_PROGRAM));
      expect(text.includes('Permission is hereby granted, free of charge'), name).toBe(true);
    }
  });
});

function nodeImports(text: string): string[] {
  return [...text.matchAll(/\bfrom\s*["'`]node:\w+/g)].map(([found]) => found);
}
