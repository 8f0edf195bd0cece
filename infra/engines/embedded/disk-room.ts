import { type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { Room } from '../../../topics/ports/disk-room.ts';

/** Interval between two readings of the free bytes. */
const FREE_BYTES_INTERVAL_MS = SECOND_MS;

/** The part of the reserve that blobs may not use, so that commits continue. */
const BLOBS_LEAVE = 1 / 2;

export interface DiskRoomOptions {
  /** The data folder, and those in it that may be on another disk. */
  readonly folders: readonly string[];
  /** Free bytes below which room is scarce. */
  readonly reserveBytes: number;
  /** Called when room becomes scarce, or ample again. */
  readonly onChange: (room: Room, freeBytes: number) => void;
}

/**
 * Watches the free bytes of the fullest disk of some folders, so that uploads and creations are rejected before commits fail. A
 * file system that does not report its free bytes counts as ample.
 */
export class DiskRoom {
  readonly #options: DiskRoomOptions;
  readonly #timer: NodeJS.Timeout;
  #freeBytes: number;
  #room: Room = 'ample';

  constructor(options: DiskRoomOptions) {
    this.#options = options;
    this.#freeBytes = Math.min(...options.folders.map(freeNow));
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
    this.#freeBytes = Math.min(...(await Promise.all(this.#options.folders.map(freeIn))));
    this.#updateRoom();
  }

  #updateRoom(): void {
    const room = this.#freeBytes < this.#options.reserveBytes ? 'scarce' : 'ample';
    if (room === this.#room) return;
    this.#room = room;
    this.#options.onChange(room, this.#freeBytes);
  }
}

async function freeIn(folder: string): Promise<number> {
  return await statfs(folder).then(bytesOf, () => Number.POSITIVE_INFINITY);
}

function freeNow(folder: string): number {
  try {
    return bytesOf(statfsSync(folder));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** A file system without a size, such as one in memory without a bound, reports no free blocks either. */
function bytesOf({ blocks, bavail, bsize }: StatsFs): number {
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
