import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { openDatabase, stopWaiting } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { EmbeddedLimiter, type LimiterRoom } from './limiter.ts';

const LOCK_WAIT_MS = 1;

/** A limiter on a separate database, with a clock that tests set. */
export class EmbeddedLimiterFixture {
  readonly folder: string;
  readonly clock = new ManualClock();
  readonly #room: LimiterRoom | undefined;
  database: DatabaseSync;
  writer: GroupCommit;
  limiter: EmbeddedLimiter;

  private constructor(folder: string, room?: LimiterRoom) {
    this.folder = folder;
    this.#room = room;
    // Far from the ends of an hour and a month.
    this.clock.advance(Date.UTC(2027, 0, 15, 12, 0, 10) - this.clock.now());
    [this.database, this.writer, this.limiter] = this.#open();
  }

  static async open(room?: LimiterRoom): Promise<EmbeddedLimiterFixture> {
    return new EmbeddedLimiterFixture(await mkdtemp(join(tmpdir(), 'embedded-limiter-')), room);
  }

  /** Starts again on the same database. An orderly end writes what is in memory only. */
  async restart({ orderly }: { readonly orderly: boolean }): Promise<void> {
    if (orderly) await this.limiter.close();
    await this.writer.close();
    this.database.close();
    [this.database, this.writer, this.limiter] = this.#open();
  }

  async close(): Promise<void> {
    this.database.close();
    await rm(this.folder, { recursive: true });
  }

  #open(): [DatabaseSync, GroupCommit, EmbeddedLimiter] {
    const database = openDatabase(this.folder);
    stopWaiting(database);
    const fail = (error: unknown) => {
      throw error;
    };
    const writer = new GroupCommit(
      database,
      async () => {},
      fail,
      () => {},
      LOCK_WAIT_MS,
    );
    return [database, writer, new EmbeddedLimiter(database, writer, this.clock, this.#room)];
  }
}
