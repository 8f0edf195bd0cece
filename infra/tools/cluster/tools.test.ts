import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTools, javaMajor, parseJavaVersion, parseRedisVersion } from './tools.ts';

describe('versions', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', '17.0.15', 17],
    ['java version "1.8.0_412"', '1.8.0_412', 8],
    ['openjdk version "21" 2023-09-19', '21', 21],
    ['openjdk version "26-ea" 2026-03-17', '26-ea', 26],
  ])('reads what Java prints: %j', (text, version, major) => {
    expect(parseJavaVersion(text)).toBe(version);
    expect(javaMajor(version)).toBe(major);
  });

  it('reads what redis-server prints', () => {
    expect(parseRedisVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64')).toBe(
      '7.0.15',
    );
  });

  it('takes nothing for a version that is none', () => {
    expect(parseJavaVersion('Unable to locate a Java Runtime.')).toBeNull();
    expect(parseRedisVersion('')).toBeNull();
  });
});

describe('findTools', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tools-'));
    vi.stubEnv('PATH', folder);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it('names everything that is missing at once, and what to install', async () => {
    await program('redis-server', 'Redis server v=6.0.16 sha=00000000:0');
    const search = findTools(true);
    await expect(search).rejects.toThrow(
      /redis-server 7 or later: only 6\.0\.16 found; install redis-server/,
    );
    await expect(search).rejects.toThrow(/mvn: none found.*install maven/);
  });

  it('asks for Maven only when there is something to download', async () => {
    await program('redis-server', 'Redis server v=7.2.4 sha=00000000:0');
    await expect(findTools(true)).rejects.toThrow(/mvn/);
    const without = await findTools(false).catch((error: unknown) => String(error));
    expect(JSON.stringify(without)).not.toMatch(/mvn: none/);
  });

  async function program(name: string, prints: string): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\necho '${prints}'\n`);
    await chmod(join(folder, name), 0o755);
  }
});
