import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** A server that is published as a Maven artifact: a version, and the digest of every jar that it runs with. */
export interface Artifact {
  readonly name: 'kafka' | 'cassandra';
  readonly version: string;
  /** Maven coordinates, `group:artifact:version`. */
  readonly dependencies: readonly string[];
  /** SHA-256 in hexadecimal by the name of the jar. */
  readonly jars: ReadonlyMap<string, string>;
}

/** Tells how far something has come, a line at a time. */
export type Report = (line: string) => void;

export const KAFKA: Artifact = {
  name: 'kafka',
  version: '4.1.2',
  dependencies: ['org.apache.kafka:kafka_2.13:4.1.2', 'org.slf4j:slf4j-simple:1.7.36'],
  jars: readDigests('kafka.sha256'),
};

export const CASSANDRA: Artifact = {
  name: 'cassandra',
  version: '5.0.9',
  dependencies: ['org.apache.cassandra:cassandra-all:5.0.9'],
  jars: readDigests('cassandra.sha256'),
};

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const DOWNLOAD_MS_MAX = 15 * 60_000;
const FILES_A_LINE = 20;

export function jarFolder(cache: string, { name, version }: Artifact): string {
  return join(cache, `${name}-${version}`);
}

/** True if the cache holds the artifact. `provide` checks its digests. */
export async function isCached(cache: string, artifact: Artifact): Promise<boolean> {
  return (await jarsIn(jarFolder(cache, artifact))).length > 0;
}

/**
 * Makes sure that the jars of an artifact are in the cache, byte for byte those that are pinned here.
 *
 * @returns the folder that holds them.
 * @throws {Error} when the download ends with an error, or a jar is missing, not pinned, or not what was pinned.
 */
export async function provide(
  artifact: Artifact,
  { cache, maven, report }: { readonly cache: string; readonly maven: string; readonly report: Report },
): Promise<string> {
  const folder = jarFolder(cache, artifact);
  if (!(await isCached(cache, artifact))) await download(artifact, { cache, maven, report });
  const wrong = await differences(folder, artifact.jars);
  if (wrong.length === 0) return folder;
  throw new Error(
    `checking ${artifact.name} ${artifact.version}: ${wrong.join('; ')}. Delete ${folder} to download it again`,
  );
}

/** Returns the faults of a folder of jars in words; none if it holds exactly the pinned ones. */
export async function differences(folder: string, pinned: ReadonlyMap<string, string>): Promise<string[]> {
  const present = await jarsIn(folder);
  const wrong = [...pinned.keys()].filter((jar) => !present.includes(jar)).map((jar) => `${jar} is missing`);
  for (const jar of present) {
    const digest = pinned.get(jar);
    if (digest === undefined) wrong.push(`${jar} is not pinned`);
    else if (digest !== (await sha256(join(folder, jar)))) wrong.push(`${jar} is not what was pinned`);
  }
  return wrong;
}

/** A Maven project that depends on the artifact and does nothing else. */
export function renderProject({ name, version, dependencies }: Artifact): string {
  const lines = dependencies.map((coordinates) => {
    const [group, artifact, number] = coordinates.split(':');
    return `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${number}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>svc.cluster</groupId>
  <artifactId>${name}</artifactId>
  <version>${version}</version>
  <packaging>pom</packaging>
  <dependencies>
${lines.join('\n')}
  </dependencies>
</project>
`;
}

/** Downloads into a temporary folder, which gets its name only when it is complete. */
async function download(
  artifact: Artifact,
  { cache, maven, report }: { readonly cache: string; readonly maven: string; readonly report: Report },
): Promise<void> {
  const target = jarFolder(cache, artifact);
  const part = `${target}.part`;
  const project = `${target}.pom.xml`;
  const log = `${target}.maven.log`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  await writeFile(project, renderProject(artifact));
  const label = `${artifact.name} ${artifact.version}`;
  report(`${label}: downloading ${artifact.jars.size} files from Maven Central, once, into ${target}`);
  const args = ['--batch-mode', '--strict-checksums', '--file', project, COPY_DEPENDENCIES];
  const options = ['-DincludeScope=runtime', `-DoutputDirectory=${part}`];
  let files = 0;
  // Maven downloads what it needs for itself, too.
  const onJar = (jar: string): void => {
    if (!artifact.jars.has(jar)) return;
    files += 1;
    if (files % FILES_A_LINE === 0) report(`${label}: ${files} of ${artifact.jars.size} files`);
  };
  const code = await runMaven(maven, [...args, ...options], { log, onJar });
  if (code !== 0) throw new Error(`downloading ${label}: Maven ended with ${code}; see ${log}`);
  await rm(target, { recursive: true, force: true });
  await rename(part, target);
}

async function runMaven(
  program: string,
  args: readonly string[],
  { log, onJar }: { readonly log: string; readonly onJar: (jar: string) => void },
): Promise<number | null> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: DOWNLOAD_MS_MAX });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // The error of a program that cannot be started is thrown by the last line, once there is nothing more to read.
  ended.catch(() => undefined);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const jar = /Downloaded from .*\/([^/ ]+\.jar)\b/.exec(line)?.[1];
    if (jar !== undefined) onJar(jar);
  }
  await writeFile(log, `${lines.join('\n')}\n`);
  return await ended;
}

async function jarsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.jar')).sort();
  } catch {
    return [];
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Reads a file in the format of `sha256sum`, which stands beside this one. */
function readDigests(name: string): ReadonlyMap<string, string> {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return new Map(
    lines.map((line) => {
      const [digest = '', jar = ''] = line.split(/\s+/);
      return [jar, digest] as const;
    }),
  );
}
