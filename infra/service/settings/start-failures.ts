import { basename } from 'node:path';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import {
  BackupFolderError,
  DataFileError,
  FolderInUseError,
  primaryCode,
  reasonOf,
  SQLITE,
  UnknownDatabaseError,
} from '../../engines/embedded/failures.ts';
import { LOCK_FILE } from '../../engines/embedded/folder-lock.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';

/** Words a failure to open the data folder for the person who starts the service; returns any other error as it is. */
export function folderFailure(error: unknown, folder: string): unknown {
  const message = folderMessage(error, folder);
  return message === null ? error : new StartError(message, { cause: error });
}

function folderMessage(error: unknown, folder: string): string | null {
  if (error instanceof FolderInUseError) {
    return `SVC_DATA_FOLDER: ${folder} is in use by another process; stop that process, or name another folder`;
  }
  if (error instanceof BackupFolderError) {
    return `SVC_DATA_FOLDER: ${folder} is a backup, which would change; make a data folder of it: SVC_DATA_FOLDER=NEW npm run ops -- restore ${folder}`;
  }
  if (error instanceof UnknownDatabaseError) {
    return `SVC_DATA_FOLDER: ${folder}: ${error.message}; ${error.cure}`;
  }
  if (error instanceof DataFileError) {
    const isLock = basename(error.file) === LOCK_FILE && primaryCode(error.cause) === SQLITE.notADatabase;
    return fileMessage(error.file, error.cause, isLock ? 'it holds nothing; remove it' : undefined);
  }
  if (error instanceof Error && 'path' in error && typeof error.path === 'string') {
    return fileMessage(error.path, error);
  }
  return null;
}

const DAMAGED = 'restore the data folder from a backup (infra/docs/backup.md)';
const FULL = 'the disk is full; make room on it';
const RIGHTS = 'give the user of this process the right to read and write it';

/** Cures by what the system says. */
const SYSTEM_CURES: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: 'the disk is read-only; mount it for writing',
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: 'name a folder in SVC_DATA_FOLDER',
  EEXIST: 'name a folder in SVC_DATA_FOLDER',
  EISDIR: 'a file belongs there; restore it from a backup',
  EIO: 'the disk fails; replace it and restore a backup',
  EMFILE: 'raise the limit of open files (ulimit -n)',
};

/** Cures by what SQLite says. */
const DATABASE_CURES: Readonly<Record<number, string>> = {
  [SQLITE.busy]: 'another program holds the file; close that program',
  [SQLITE.readOnly]: RIGHTS,
  [SQLITE.io]: 'the disk fails or a file may not grow; check its state and its limits',
  [SQLITE.corrupt]: DAMAGED,
  [SQLITE.notADatabase]: DAMAGED,
  [SQLITE.full]: FULL,
  [SQLITE.cannotOpen]: RIGHTS,
};

function fileMessage(file: string, cause: unknown, knownCure?: string): string {
  const code = primaryCode(cause);
  const system = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const cure = knownCure ?? (code === null ? SYSTEM_CURES[system] : DATABASE_CURES[code]) ?? DAMAGED;
  return `${file}: ${reasonOf(cause)}; ${cure}`;
}

/** Words a failure to listen; returns any other error as it is. */
export function listenFailure(error: unknown, { host, port }: Pick<Settings, 'host' | 'port'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const message = listenMessage(code, host, port);
  return message === null ? error : new StartError(message, { cause: error });
}

function listenMessage(code: unknown, host: string, port: number): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: ${port} on ${host} is in use by another process; stop that process, or set another PORT`;
    case 'EACCES':
      return `PORT: this user may not listen on ${port}; set a PORT of 1024 or more, or give the right to`;
    case 'EADDRNOTAVAIL':
      return `HOST: ${host} is not an address of this machine; set one that is, or 0.0.0.0 or :: for all of them`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} has no address; set an IP address of this machine; a shell may have set it, such as tcsh`;
    default:
      return null;
  }
}

/** The server of a cluster that a part of the engine is on, and what names it. */
export type ServerOfCluster = 'cassandra' | 'kafka' | 'redis';

/** Words what kept a server of the cluster from being opened. */
export function serverFailure(error: unknown, server: ServerOfCluster, cluster: ClusterSettings): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`${namesOf(server, cluster)}: ${causesOf(error)}; ${CURES[server]}`, {
    cause: error,
  });
}

function namesOf(server: ServerOfCluster, { kafka, cassandra }: ClusterSettings): string {
  switch (server) {
    case 'kafka':
      return `KAFKA_BROKERS (${kafka.brokers.join(', ')})`;
    case 'cassandra':
      return `CASSANDRA_CONTACT_POINTS (${cassandra.contactPoints.join(', ')})`;
    case 'redis':
      // The address may hold a password.
      return 'REDIS_URL';
  }
}

const CURES: Readonly<Record<ServerOfCluster, string>> = {
  kafka: 'start the brokers or correct KAFKA_*',
  cassandra: 'start the nodes, run npm run ops -- migrate, or correct CASSANDRA_*',
  redis: 'start the server or correct REDIS_*',
};

const CAUSES_MAX = 4;

/** The messages of an error and its causes, in one line and without what they quote. */
function causesOf(error: unknown): string {
  const said: string[] = [];
  for (let at = error; at instanceof Error && said.length < CAUSES_MAX; at = at.cause) {
    said.push(at.message.split('\n', 1)[0] ?? at.name);
  }
  return said.join(': ');
}

/** The words for whatever ended a start: what a {@link StartError} says, else one line with where it was thrown. */
export function startFailureLine(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (error instanceof EngineUnavailableError)
    return `${causesOf(error)}; the server has answered before: check its log and its load, and start the service again`;
  const place = error instanceof Error ? error.stack?.split('\n').find((line) => /^\s+at /.test(line)) : null;
  return `starting failed, which is a fault of the program: ${causesOf(error)} ${place?.trim() ?? ''}`.trim();
}
