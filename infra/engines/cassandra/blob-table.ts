import type { BlobAddress, BlobGroup } from '../../../topics/ports/blobs.ts';
import type { CassandraSession, Statement } from './session.ts';

export const ENGINE = 'blobs';

/** Names the readable attempt to write a blob. */
export interface Manifest {
  readonly attempt: string;
  /** Bytes of the blob. */
  readonly length: number;
  /** Unix milliseconds, or null for never. */
  readonly expiresAt: number | null;
  /** The timestamp with which the blob was written. */
  readonly stamp: bigint;
}

/** The timestamp of a written row, and its time to live in seconds; 0 means for ever. */
export interface Writing {
  readonly stamp: bigint;
  readonly seconds: number;
}

/** The attempt of the manifest's row. Real attempts have a name. */
const NO_ATTEMPT = '';

/**
 * The statements on the table of blobs. Each change carries a timestamp of this service: a deletion removes every
 * write with the same or an earlier timestamp, even one that arrives later.
 */
export class BlobTable {
  readonly #session: CassandraSession;
  readonly #name: string;

  constructor(session: CassandraSession) {
    this.#session = session;
    this.#name = session.table('blob');
  }

  async manifest(address: BlobAddress): Promise<Manifest | null> {
    const [row] = await this.#read({
      query: `SELECT readable_attempt, length, expires_at, WRITETIME(length) AS stamp FROM ${this.#name}
              WHERE owner = ? AND blob_group = ? AND name = ? AND attempt = ? AND number = 0`,
      params: [...keyOf(address), NO_ATTEMPT],
    });
    if (row === undefined) return null;
    return {
      attempt: row['readable_attempt'],
      length: Number(row['length']),
      expiresAt: row['expires_at'] === null ? null : Number(row['expires_at']),
      stamp: row['stamp'],
    };
  }

  async chunk(address: BlobAddress, attempt: string, number: number): Promise<Uint8Array | null> {
    const [row] = await this.#read({
      query: `SELECT bytes FROM ${this.#name}
              WHERE owner = ? AND blob_group = ? AND name = ? AND attempt = ? AND number = ?`,
      params: [...keyOf(address), attempt, number],
    });
    return row?.['bytes'] ?? null;
  }

  /** Returns the latest timestamp in a group; 0 if the group is empty. */
  async latestStamp({ owner, group }: BlobGroup): Promise<bigint> {
    // Selects `length` instead of `bytes`, so that no chunk is transferred.
    const [row] = await this.#read({
      query: `SELECT MAX(WRITETIME(length)) AS stamp FROM ${this.#name} WHERE owner = ? AND blob_group = ?`,
      params: [owner, group],
    });
    return row?.['stamp'] ?? 0n;
  }

  /** Writes changes of one group, all of them or none. */
  async write(statements: readonly Statement[]): Promise<void> {
    await this.#session.write(ENGINE, statements);
  }

  putManifest(
    address: BlobAddress,
    { attempt, length, expiresAt, stamp }: Manifest,
    seconds: number,
  ): Statement {
    return {
      query: `INSERT INTO ${this.#name}
              (owner, blob_group, name, attempt, number, readable_attempt, length, expires_at)
              VALUES (?, ?, ?, ?, 0, ?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
      params: [
        ...keyOf(address),
        NO_ATTEMPT,
        attempt,
        BigInt(length),
        expiresAt === null ? null : BigInt(expiresAt),
        stamp,
        seconds,
      ],
    };
  }

  putChunk(
    address: BlobAddress,
    chunk: { readonly attempt: string; readonly number: number; readonly bytes: Buffer },
    { stamp, seconds }: Writing,
  ): Statement {
    return {
      query: `INSERT INTO ${this.#name} (owner, blob_group, name, attempt, number, length, bytes)
              VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
      params: [
        ...keyOf(address),
        chunk.attempt,
        chunk.number,
        BigInt(chunk.bytes.length),
        chunk.bytes,
        stamp,
        seconds,
      ],
    };
  }

  removeManifest(address: BlobAddress, stamp: bigint): Statement {
    return this.removeChunks(address, NO_ATTEMPT, stamp);
  }

  removeChunks(address: BlobAddress, attempt: string, stamp: bigint): Statement {
    return {
      query: `DELETE FROM ${this.#name} USING TIMESTAMP ?
              WHERE owner = ? AND blob_group = ? AND name = ? AND attempt = ?`,
      params: [stamp, ...keyOf(address), attempt],
    };
  }

  removeGroup({ owner, group }: BlobGroup, stamp: bigint): Statement {
    return {
      query: `DELETE FROM ${this.#name} USING TIMESTAMP ? WHERE owner = ? AND blob_group = ?`,
      params: [stamp, owner, group],
    };
  }

  #read(statement: Statement) {
    return this.#session.read(ENGINE, statement, 'LOCAL_QUORUM');
  }
}

function keyOf({ owner, group, name }: BlobAddress): [string, string, string] {
  return [owner, group, name];
}
