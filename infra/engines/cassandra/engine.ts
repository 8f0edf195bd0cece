import type { Clock } from '../../../topics/ports/clock.ts';
import { CassandraBlobs } from './blobs.ts';
import { CassandraDigestIndex } from './digest-index.ts';
import type { CassandraOptions } from './driver.ts';
import { CassandraMarks } from './installation-marks.ts';
import { requireSchema } from './migrate.ts';
import { readSchemaVersions } from './schema-files.ts';
import { CassandraSession } from './session.ts';
import { CassandraStore } from './store.ts';

export interface CassandraEngine {
  readonly store: CassandraStore;
  readonly digestIndex: CassandraDigestIndex;
  readonly blobs: CassandraBlobs;
  readonly marks: CassandraMarks;
  /** Closes the connections. Later calls are rejected as unavailable. */
  close(): Promise<void>;
}

/**
 * Opens store, index entries and blobs on a Cassandra cluster whose schema has been migrated. The engine reconnects
 * to lost nodes by itself.
 *
 * Each confirmed write is on a quorum of the local datacenter's replicas. Its survival of a power cut of all of
 * them depends on `commitlog_sync`: `periodic`, the default, may lose the last ten seconds; `batch` and `group`
 * answer after the commit log is on the disk.
 *
 * @throws {EngineUnavailableError} if no node answers
 * @throws {Error} if the schema does not match this program; the message says what to do
 */
export async function openCassandraEngine(options: CassandraOptions, clock: Clock): Promise<CassandraEngine> {
  const versions = await readSchemaVersions();
  const session = await CassandraSession.open(options);
  try {
    await requireSchema(session, versions.at(-1) ?? versions[0]);
  } catch (error) {
    await session.close();
    throw error;
  }
  return {
    store: new CassandraStore(session),
    digestIndex: new CassandraDigestIndex(session, clock),
    blobs: new CassandraBlobs(session, clock),
    marks: new CassandraMarks(session),
    close: () => session.close(),
  };
}
