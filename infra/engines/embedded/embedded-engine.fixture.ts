import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
