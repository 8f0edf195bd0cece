/**
 * The address of private bytes: `owner` is an aggregate's id, `group` the unit of removal (an import, a person),
 * `name` one blob of the group.
 */
export interface BlobAddress extends BlobGroup {
  readonly name: string;
}

export interface BlobGroup {
  readonly owner: string;
  readonly group: string;
}

export interface BlobOptions {
  /** Unix milliseconds after which the bytes are gone for every reader, or null for never. */
  readonly expiresAt: number | null;
  /** No request waits for this blob: an engine may hold it back for some milliseconds, to write several of them together. */
  readonly patient?: true;
}

/** Bytes `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Writes one blob in order. Nothing can be read before `close` has resolved. */
export interface BlobWriter {
  /** Resolves when the next write may follow: at most one chunk is held in memory. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Deletes what was written. Safe after a failed write, and more than once. */
  abort(): Promise<void>;
}

/**
 * Private bytes with one absolute expiry each (infra/docs/decisions/0008-blobs-outside-topics.md). Writing the same address
 * again replaces it as a whole; repeating a removal is harmless. Every method rejects with `EngineUnavailableError` while the
 * engine is down.
 */
export interface Blobs {
  create(address: BlobAddress, options: BlobOptions): BlobWriter;
  /** Length in bytes, or null when there is no such blob or its time is over. */
  size(address: BlobAddress): Promise<number | null>;
  /**
   * The bytes in order, in pieces of at most 512 KiB, or null when there is no such blob or its time is over. A range
   * that reaches beyond the end is cut. The iteration fails if the blob is removed meanwhile.
   */
  read(address: BlobAddress, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  remove(address: BlobAddress): Promise<void>;
  /** Removes every blob of a group, unfinished ones included. */
  removeGroup(group: BlobGroup): Promise<void>;
}
