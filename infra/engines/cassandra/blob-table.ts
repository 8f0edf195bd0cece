import type { BlobAddress, BlobGroup } from '../../../topics/ports/blobs.ts';
import type { CassandraSession, Statement } from './session.ts';

export const ENGINE = 'blobs';

/** What says which attempt to write a blob can be read. */
export interface Manifest {
  readonly attempt: string;
  /** Bytes of the blob. */
  readonly length: number;
  /** Unix milliseconds, or null for never. */
  readonly expiresAt: number | null;
  /** The timestamp that it was written with. */
  readonly stamp: bigint;
}

/** When a row is written, and how long it lives: seconds, or 0 for ever. */
export interface Writing {
  readonly stamp: bigint;
  readonly seconds: number;
}

/** The attempt under which the manifest lies: none has an empty name. */
const NO_ATTEMPT = '';

/**
 * The statements on the table of blobs. Every change carries a timestamp of ours: a deletion removes what was written with
 * the same timestamp or an earlier one, also if that arrives later.
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

  /** The latest timestamp in a group; 0 when it is empty. */
  async latestStamp({ owner, group }: BlobGroup): Promise<bigint> {
    // Of `length` and not of `bytes`, so that no chunk travels.
    const [row] = await this.#read({
      query: `SELECT MAX(WRITETIME(length)) AS stamp FROM ${this.#name} WHERE owner = ? AND blob_group = ?`,
      params: [owner, group],
    });
    return row?.['stamp'] ?? 0n;
  }

  /** Carries out changes of one group, all of them or none. */
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
