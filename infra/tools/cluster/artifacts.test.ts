import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Artifact,
  CASSANDRA,
  differences,
  isCached,
  KAFKA,
  provide,
  renderProject,
} from './artifacts.ts';

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const artifact: Artifact = {
  name: 'kafka',
  version: '1.2.3',
  dependencies: ['org.example:server:1.2.3'],
  jars: new Map([
    ['a.jar', EMPTY_SHA256],
    ['b.jar', EMPTY_SHA256],
  ]),
};

let cache: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'artifacts-'));
});

afterEach(() => rm(cache, { recursive: true }));

describe('what is pinned', () => {
  it('is the server itself, in the version that is named, and everything that it runs with', () => {
    expect(KAFKA.jars.has(`kafka_2.13-${KAFKA.version}.jar`)).toBe(true);
    expect(KAFKA.jars.has(`kafka-clients-${KAFKA.version}.jar`)).toBe(true);
    expect(CASSANDRA.jars.has(`cassandra-all-${CASSANDRA.version}.jar`)).toBe(true);
    for (const { jars } of [KAFKA, CASSANDRA]) {
      for (const [jar, digest] of jars) expect(`${digest} ${jar}`).toMatch(/^[0-9a-f]{64} \S+\.jar$/);
    }
  });

  it('is what the containers run, too', async () => {
    const compose = await readFile(new URL('../../deployment/compose.yaml', import.meta.url), 'utf8');
    expect(compose).toContain(`image: apache/kafka:${KAFKA.version}\n`);
    expect(compose).toContain(`image: cassandra:${CASSANDRA.version}\n`);
  });

  it('is asked of Maven by exact versions', () => {
    expect(renderProject(KAFKA)).toContain(
      `<groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA.version}</version>`,
    );
    expect(renderProject(CASSANDRA)).toContain(`<version>${CASSANDRA.version}</version></dependency>`);
  });
});

describe('differences', () => {
  it('finds what is missing, what is not pinned, and what is something else', async () => {
    await writeFile(join(cache, 'a.jar'), 'other bytes');
    await writeFile(join(cache, 'c.jar'), '');
    expect(await differences(cache, artifact.jars)).toEqual([
      'b.jar is missing',
      'a.jar is not what was pinned',
      'c.jar is not pinned',
    ]);
  });

  it('finds none in what is pinned', async () => {
    for (const jar of artifact.jars.keys()) await writeFile(join(cache, jar), '');
    expect(await differences(cache, artifact.jars)).toEqual([]);
  });
});

describe('provide', () => {
  it('downloads once, and says so', async () => {
    const lines: string[] = [];
    const maven = await mavenThat('touch "$folder/a.jar" "$folder/b.jar"');
    const report = (line: string) => void lines.push(line);
    const folder = await provide(artifact, { cache, maven, report });
    expect(await readdir(folder)).toEqual(['a.jar', 'b.jar']);
    expect(lines).toEqual([
      `kafka 1.2.3: downloading 2 files from Maven Central, once, into ${join(cache, 'kafka-1.2.3')}`,
    ]);
    expect(await provide(artifact, { cache, maven: 'none', report })).toBe(folder);
    expect(lines).toHaveLength(1);
  });

  it('leaves nothing that looks whole behind when Maven ends with an error', async () => {
    const maven = await mavenThat('touch "$folder/a.jar"; echo "no such version"; exit 1');
    const download = provide(artifact, { cache, maven, report: () => {} });
    await expect(download).rejects.toThrow(/Maven ended with 1; see .*kafka-1\.2\.3\.maven\.log/);
    expect(await isCached(cache, artifact)).toBe(false);
    expect(await readFile(join(cache, 'kafka-1.2.3.maven.log'), 'utf8')).toBe('no such version\n');
  });

  it('refuses a changed file of the cache, and says how to download it again', async () => {
    await mkdir(join(cache, 'kafka-1.2.3'));
    for (const jar of artifact.jars.keys()) await writeFile(join(cache, 'kafka-1.2.3', jar), 'other bytes');
    await expect(provide(artifact, { cache, maven: 'none', report: () => {} })).rejects.toThrow(
      /a\.jar is not what was pinned; b\.jar is not what was pinned\. Delete .*kafka-1\.2\.3 to download it again/,
    );
  });
});

/** A program that takes Maven's arguments and does something with the folder that jars are to be copied to. */
async function mavenThat(acts: string): Promise<string> {
  const path = join(cache, 'maven');
  const folder = `for word in "$@"; do case "$word" in -DoutputDirectory=*) folder=\${word#*=};; esac; done`;
  await writeFile(path, `#!/bin/sh\n${folder}\n${acts}\n`);
  await chmod(path, 0o755);
  return path;
}
