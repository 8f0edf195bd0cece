import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AggregateRef, RowKey } from '../../../topics/ports/store.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { DATABASE_FILE } from './database.ts';
import { type EmbeddedEngine, type EmbeddedEngineOptions, openEmbeddedEngine } from './engine.ts';

/** An engine on a separate folder. Tests set its clock and restart it; closing deletes the folder. */
export class EmbeddedEngineFixture {
  readonly folder: string;
  readonly clock = new ManualClock();
  readonly fatal: unknown[] = [];
  readonly #options: Partial<EmbeddedEngineOptions>;
  #engine: EmbeddedEngine;

  static async open(options: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngineFixture> {
    return new EmbeddedEngineFixture(await mkdtemp(join(tmpdir(), 'embedded-engine-')), options);
  }

  private constructor(folder: string, options: Partial<EmbeddedEngineOptions>) {
    this.folder = folder;
    this.#options = options;
    this.#engine = this.#open();
  }

  get engine(): EmbeddedEngine {
    return this.#engine;
  }

  get log() {
    return this.#engine.log;
  }

  get store() {
    return this.#engine.store;
  }

  get approvals() {
    return this.#engine.approvals;
  }

  get replies() {
    return this.#engine.replies;
  }

  get processReports() {
    return this.#engine.processReports;
  }

  get marks() {
    return this.#engine.marks;
  }

  get blobs() {
    return this.#engine.blobs;
  }

  get digestIndex() {
    return this.#engine.digestIndex;
  }

  get counters() {
    return this.#engine.counters;
  }

  get limiter() {
    return this.#engine.limiter;
  }

  async reopen(): Promise<void> {
    await this.#engine.close();
    this.#engine = this.#open();
  }

  /** Changes the database while the engine is closed, like a restored or damaged file. */
  async reopenAfter(change: (database: DatabaseSync) => void): Promise<void> {
    await this.#engine.close();
    const database = new DatabaseSync(join(this.folder, DATABASE_FILE));
    change(database);
    database.close();
    this.#engine = this.#open();
  }

  /** Replaces the stored text of a row, or of the root. */
  async damage({ table, id }: AggregateRef, row: RowKey | 'root', text: string): Promise<void> {
    await this.reopenAfter((database) => {
      const root = 'table_name = ? AND id = ?';
      const { changes } =
        row === 'root'
          ? database.prepare(`UPDATE aggregate_root SET document = ? WHERE ${root}`).run(text, table, id)
          : database
              .prepare(
                `UPDATE aggregate_row SET document = ? WHERE kind = ? AND id = ?
                 AND aggregate = (SELECT number FROM aggregate_root WHERE ${root})`,
              )
              .run(text, row.kind, row.id, table, id);
      if (changes !== 1) throw new Error('damaging a document that is not there');
    });
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await rm(this.folder, { recursive: true });
  }

  #open(): EmbeddedEngine {
    return openEmbeddedEngine({
      clock: this.clock,
      onFatal: (error) => this.fatal.push(error),
      ...this.#options,
      folder: this.folder,
    });
  }
}
