import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { Room } from '../../../topics/ports/disk-room.ts';
import type { HaltListener } from '../shared/delivery.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { EmbeddedApprovals } from './approvals.ts';
import { BLOB_FOLDER } from './blob-files.ts';
import { EmbeddedBlobs } from './blobs.ts';
import { EmbeddedCounters } from './counters.ts';
import {
  emptyWriteAheadLog,
  openDatabase,
  openWriteAheadLog,
  reading,
  stopWaiting,
  type WriteAheadLog,
} from './database.ts';
import { EmbeddedDigestIndex } from './digest-index.ts';
import { DiskRoom } from './disk-room.ts';
import { type FolderLock, takeFolder } from './folder-lock.ts';
import { GroupCommit } from './group-commit.ts';
import { EmbeddedMarks } from './installation-marks.ts';
import { EmbeddedLimiter } from './limiter.ts';
import { EmbeddedLog } from './log.ts';
import { EmbeddedProcessReports } from './process-reports.ts';
import { EmbeddedReplies } from './replies.ts';
import { EmbeddedStore } from './store.ts';

const UNHEARD: HaltListener = { onHalt: () => {}, onResume: () => {} };

/** Rows of each kind that one call of `sweep` removes at most. */
const SWEPT_A_CALL = 500;

/** Free bytes of the disk reserved by default: much more than one second of commits takes. */
const RESERVE_BYTES = 256 * 1_024 * 1_024;

export interface EmbeddedEngineOptions {
  /** The data folder. Created if missing, readable by its owner only, and used by one process at a time. */
  readonly folder: string;
  /** The folder's lock, if the caller already has it. The engine releases it when it closes, or cannot open. */
  readonly lock?: FolderLock;
  readonly clock: Clock;
  /** Called once when a write failed (I/O, read-only; not for a full disk): the process has to end and to restart. */
  readonly onFatal: (error: unknown) => void;
  /** Free bytes of the disk below which new data is rejected: {@link RESERVE_BYTES} by default. */
  readonly reserveBytes?: number;
  /** Called when room on the disk becomes scarce, or ample again. */
  readonly onRoom?: (room: Room, freeBytes: number) => void;
  /** Receives halts and resumptions of partitions. */
  readonly halts?: HaltListener;
  /** The memory of records that are being handled; a separate one of the usual size by default. */
  readonly memory?: RecordMemory;
}

export interface EmbeddedEngine {
  readonly log: EmbeddedLog;
  readonly store: EmbeddedStore;
  readonly replies: EmbeddedReplies;
  readonly approvals: EmbeddedApprovals;
  readonly processReports: EmbeddedProcessReports;
  readonly blobs: EmbeddedBlobs;
  readonly digestIndex: EmbeddedDigestIndex;
  readonly marks: EmbeddedMarks;
  readonly counters: EmbeddedCounters;
  readonly limiter: EmbeddedLimiter;
  /** Returns the room on the disk. */
  room(): Room;
  /**
   * Removes expired and abandoned data in bounded transactions, and empties the write-ahead log, so that no file
   * contains the removed bytes. Call it again while it returns true, and once after every erasure.
   *
   * @returns true if there may be more to remove
   */
  sweep(now: number): Promise<boolean>;
  /** Stops consumers, commits queued writes and releases the folder. */
  close(): Promise<void>;
}

/**
 * Opens every port on one SQLite file, and a folder of large blobs, in a data folder. Every confirmed write survives
 * `kill -9` and, if the disk keeps synced bytes, a power cut. Counters of short windows and replies are in memory
 * only.
 *
 * @throws {FolderInUseError} if another process has the folder
 * @throws {BackupFolderError} if the folder is a backup
 * @throws {UnknownDatabaseError} if a newer version of the program, or another program, has written the files
 * @throws {DataFileError} if a file cannot be used, or SQLite rejects a setting that durability or erasure depend on
 */
export function openEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const lock = options.lock ?? takeFolder(options.folder);
  let database: DatabaseSync | null = null;
  let ahead: WriteAheadLog | null = null;
  try {
    database = openDatabase(options.folder);
    ahead = openWriteAheadLog(options.folder);
    return assemble(options, database, ahead, lock);
  } catch (error) {
    ahead?.close();
    database?.close();
    lock.release();
    throw error;
  }
}

function assemble(
  options: EmbeddedEngineOptions,
  database: DatabaseSync,
  ahead: WriteAheadLog,
  lock: FolderLock,
): EmbeddedEngine {
  const { folder, clock, onFatal, halts = UNHEARD, onRoom = () => {} } = options;
  const room = new DiskRoom({
    folders: [folder, join(folder, BLOB_FOLDER)],
    reserveBytes: options.reserveBytes ?? RESERVE_BYTES,
    onChange: onRoom,
  });
  const writer = new GroupCommit(
    database,
    () => ahead.synchronize(),
    onFatal,
    () => room.full(),
  );
  const log = new EmbeddedLog(database, writer, clock, halts, options.memory ?? new RecordMemory());
  const blobs = new EmbeddedBlobs(database, writer, { folder, clock, room });
  const digestIndex = new EmbeddedDigestIndex(database, writer, clock);
  const counters = new EmbeddedCounters(database, writer, clock);
  const limiter = new EmbeddedLimiter(database, writer, clock);
  stopWaiting(database);
  const close = async (): Promise<void> => {
    await log.close();
    await limiter.close();
    await writer.close();
    room.close();
    blobs.close();
    ahead.close();
    database.close();
    lock.release();
  };
  let closed: Promise<void> | null = null;
  return {
    log,
    store: new EmbeddedStore(database, writer),
    replies: new EmbeddedReplies(),
    approvals: new EmbeddedApprovals(),
    processReports: new EmbeddedProcessReports(clock),
    blobs,
    digestIndex,
    room: () => room.room,
    marks: new EmbeddedMarks(database, writer),
    counters,
    limiter,
    sweep: async (now) => {
      const swept = [
        await blobs.sweep(now, SWEPT_A_CALL),
        await digestIndex.sweep(now, SWEPT_A_CALL),
        await counters.sweep(now, SWEPT_A_CALL),
        await limiter.sweep(now, SWEPT_A_CALL),
      ];
      reading('database', () => emptyWriteAheadLog(database));
      return swept.some((count) => count >= SWEPT_A_CALL);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
