import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf } from './run.ts';

/**
 * Kafka 4.1 needs at least Java 17. Cassandra 5.0 supports 11 and 17 and installs a security manager, which later Javas
 * refuse; so the one that runs both is 17.
 */
const JAVA_VERSION = 17;

/** The first Redis whose append-only file is kept in parts, so that rewriting it never stops the server. */
const REDIS_VERSION_MIN = 7;

/** The folders in which package managers of Linux and macOS install Java. */
const JAVA_FOLDERS = ['/usr/lib/jvm/*', '/Library/Java/JavaVirtualMachines/*/Contents/Home'];

export interface Program {
  /** A path, or a name that is looked up in `PATH`. */
  readonly program: string;
  readonly version: string;
}

/** The programs of this machine that the servers run on. */
export interface Tools {
  readonly java: Program;
  readonly redis: Program;
  /** Used only until the servers' jars are in the cache. */
  readonly maven: string;
}

/** Programs that have to be installed first. The message has a line for each, with what was seen and what to install. */
export class MissingToolsError extends Error {
  constructor(lines: readonly string[]) {
    super(`looking for the programs that the servers need:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'MissingToolsError';
  }
}

/**
 * Finds Java, Redis and Maven on this machine.
 *
 * @param needsMaven whether there is something to download
 * @throws {MissingToolsError} that names everything that is missing, not only the first.
 */
export async function findTools(needsMaven: boolean): Promise<Tools> {
  const searches = [findJava(), findRedis(), needsMaven ? findMaven() : 'mvn'] as const;
  const missing = (await Promise.allSettled(searches))
    .filter((search) => search.status === 'rejected')
    .map(({ reason }) => (reason instanceof Error ? reason.message : String(reason)));
  if (missing.length > 0) throw new MissingToolsError(missing);
  const [java, redis, maven] = await Promise.all(searches);
  return { java, redis, maven };
}

/** The version in what `java -version` prints, such as `17.0.15`; null when it prints none. */
export function parseJavaVersion(text: string): string | null {
  return /\bversion "([^"]+)"/.exec(text)?.[1] ?? null;
}

/** 17 of `17.0.15`, and 8 of `1.8.0_412`, as Java named itself until 8. */
export function javaMajor(version: string): number {
  const [first, second] = version.split(/[._-]/).map(Number);
  return (first === 1 ? second : first) ?? 0;
}

/** The version in what `redis-server --version` prints, such as `7.0.15`; null when it prints none. */
export function parseRedisVersion(text: string): string | null {
  return /\bv=(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? null;
}

async function findJava(): Promise<Program> {
  const home = process.env['JAVA_HOME'] ?? '';
  const homes = (await Promise.all(JAVA_FOLDERS.map(foldersMatching))).flat();
  const inHome = (folder: string): string => join(folder, 'bin', 'java');
  const candidates = [...(home === '' ? [] : [inHome(home)]), 'java', ...homes.map(inHome)];
  const others = new Set<string>();
  for (const program of candidates) {
    // Java writes its version to standard error.
    const version = parseJavaVersion((await outputOf(program, ['-version']))?.stderr ?? '');
    if (version === null) continue;
    if (javaMajor(version) === JAVA_VERSION) return { program, version };
    others.add(version);
  }
  throw new Error(
    `Java ${JAVA_VERSION}: ${seen([...others])}; install openjdk-${JAVA_VERSION}-jre-headless (apt) or ` +
      `openjdk@${JAVA_VERSION} (brew), or set JAVA_HOME`,
  );
}

async function findRedis(): Promise<Program> {
  const program = 'redis-server';
  const version = parseRedisVersion((await outputOf(program, ['--version']))?.stdout ?? '');
  if (version !== null && Number.parseInt(version, 10) >= REDIS_VERSION_MIN) return { program, version };
  const others = version === null ? [] : [version];
  throw new Error(
    `redis-server ${REDIS_VERSION_MIN} or later: ${seen(others)}; install redis-server (apt) or redis (brew)`,
  );
}

async function findMaven(): Promise<string> {
  if ((await outputOf('mvn', ['--version'])) !== null) return 'mvn';
  throw new Error(
    `mvn: ${seen([])}, and without a container engine Kafka and Cassandra come from Maven Central; install maven ` +
      '(apt or brew)',
  );
}

function seen(versions: readonly string[]): string {
  return versions.length === 0 ? 'none found' : `only ${versions.join(', ')} found`;
}

/** The folders that a pattern with one `*` for a whole name stands for. */
async function foldersMatching(pattern: string): Promise<string[]> {
  const [parent = '', rest = ''] = pattern.split('*');
  try {
    return (await readdir(parent)).sort().map((name) => join(parent, name, rest));
  } catch {
    return [];
  }
}
