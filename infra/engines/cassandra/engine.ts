import type { Clock } from '../../../topics/ports/clock.ts';
import { CassandraBlobs } from './blobs.ts';
import type { CassandraOptions } from './driver.ts';
import { CassandraLookups } from './lookups.ts';
import { CassandraMarks } from './marks.ts';
import { requireSchema } from './migrate.ts';
import { readSchemaVersions } from './schema-files.ts';
import { CassandraSession } from './session.ts';
import { CassandraStore } from './store.ts';

export interface CassandraEngine {
  readonly store: CassandraStore;
  readonly lookups: CassandraLookups;
  readonly blobs: CassandraBlobs;
  readonly marks: CassandraMarks;
  /** Gives the connections back. Later calls are answered as unavailable. */
  close(): Promise<void>;
}

/**
 * Opens store, look-ups and blobs on a Cassandra cluster whose schema has been migrated. Nodes that are lost later are
 * found again without any doing of the caller.
 *
 * What a promise has confirmed is on a quorum of the local datacenter's replicas. Whether it also survives a power cut of
 * all of them at once is decided by `commitlog_sync` there: `periodic`, the default, may lose the last ten seconds;
 * `batch` and `group` answer only when the commit log is on the disk.
 *
 * @throws {EngineUnavailableError} when no node answers.
 * @throws {Error} when the schema does not fit this program; it says what to do.
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
    lookups: new CassandraLookups(session, clock),
    blobs: new CassandraBlobs(session, clock),
    marks: new CassandraMarks(session),
    close: () => session.close(),
  };
}
