import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { Room } from '../../../topics/ports/disk-room.ts';

/** Interval between two readings of the free bytes. */
const FREE_BYTES_INTERVAL_MS = SECOND_MS;

/** The part of the reserve that blobs may not use, so that commits continue. */
const BLOBS_LEAVE = 1 / 2;

export interface DiskRoomOptions {
  /** The data folder. */
  readonly folder: string;
  /** Free bytes below which room is scarce. */
  readonly reserveBytes: number;
  /** Called when room becomes scarce, or ample again. */
  readonly onChange: (room: Room, freeBytes: number) => void;
}

/**
 * Watches the free bytes of a disk, so that uploads and creations are rejected before commits fail. A file system
 * that does not report its free bytes counts as ample.
 */
export class DiskRoom {
  readonly #options: DiskRoomOptions;
  readonly #timer: NodeJS.Timeout;
  #freeBytes: number;
  #room: Room = 'ample';

  constructor(options: DiskRoomOptions) {
    this.#options = options;
    this.#freeBytes = freeNow(options.folder);
    this.#updateRoom();
    this.#timer = setInterval(() => void this.#readFreeBytes(), FREE_BYTES_INTERVAL_MS);
    this.#timer.unref();
  }

  get room(): Room {
    return this.#room;
  }

  /** Counts bytes that are about to be written to a blob; returns true if they may be written. */
  takeForBlob(bytes: number): boolean {
    if (this.#freeBytes - bytes < this.#options.reserveBytes * BLOBS_LEAVE) return false;
    this.#freeBytes -= bytes;
    this.#updateRoom();
    return true;
  }

  /** Records that a write has found the disk full, whatever the last reading was. */
  full(): void {
    this.#freeBytes = 0;
    this.#updateRoom();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #readFreeBytes(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(this.#options.folder);
      this.#freeBytes = bavail * bsize;
    } catch {
      this.#freeBytes = Number.POSITIVE_INFINITY;
    }
    this.#updateRoom();
  }

  #updateRoom(): void {
    const room = this.#freeBytes < this.#options.reserveBytes ? 'scarce' : 'ample';
    if (room === this.#room) return;
    this.#room = room;
    this.#options.onChange(room, this.#freeBytes);
  }
}

function freeNow(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
