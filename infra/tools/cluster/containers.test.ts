import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compose, findContainerEngine } from './containers.ts';

const PORTS = { kafka: 1, cassandra: 2, redis: 3 };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'containers-'));
  vi.stubEnv('PATH', folder + delimiter + process.env['PATH']);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

describe('findContainerEngine', () => {
  it('takes the first that answers and can compose', async () => {
    await program('docker', 'exit 0');
    await program('podman', 'exit 0');
    expect(await findContainerEngine()).toBe('docker');
  });

  it('passes over one that is installed and does not run', async () => {
    await program('docker', 'test "$1" != info');
    await program('podman', 'exit 0');
    expect(await findContainerEngine()).toBe('podman');
  });

  it('finds none where none can compose', async () => {
    await program('docker', 'test "$1" != compose');
    await program('podman', 'exit 1');
    expect(await findContainerEngine()).toBeNull();
  });
});

describe('compose', () => {
  it('names the file, the servers and the ports', async () => {
    await program('docker', `echo "$SVC_CLUSTER_KAFKA_PORT $@" >${folder}/seen`);
    await compose('docker', PORTS, ['up', '--detach', '--wait']);
    expect(await readFile(join(folder, 'seen'), 'utf8')).toMatch(
      /^1 compose --file \/.*\/infra\/deployment\/compose\.yaml up --detach --wait kafka cassandra redis\n$/,
    );
  });

  it('says what did not work', async () => {
    await program('docker', 'exit 7');
    await expect(compose('docker', PORTS, ['stop'])).rejects.toThrow(
      'running docker compose stop: it ended with 7',
    );
  });
});

async function program(name: string, acts: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${acts}\n`);
  await chmod(join(folder, name), 0o755);
}
