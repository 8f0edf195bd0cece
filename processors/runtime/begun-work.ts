// Reads and writes: the begun items of one partition of a work topic.
import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import type { IndexKey } from '../../topics/ports/digest-index.ts';
import type { PartitionAssignment } from '../../topics/ports/log.ts';
import type { ProcessorDependencies } from './dependencies.ts';

/** As long as the log keeps the items. */
const KEPT_MS = 14 * DAY_MS;

const begunSchema = z.object({
  version: z.int(),
  /** Starts of each item, by its offset. */
  begun: z.array(z.tuple([z.int(), z.int().positive()])),
});

/**
 * The items of one partition that are under way, stored before they begin. If a process finds an item that it has not begun
 * itself, an earlier process ended while it handled the item, perhaps because of it.
 */
export class BegunWork {
  readonly #engines: Pick<ProcessorDependencies, 'digestIndex' | 'clock'>;
  readonly #key: IndexKey;
  #version = 0;
  /** Starts by earlier processes, by offset; null until they are read. */
  #before: Map<number, number> | null = null;
  /** The same, with the start by this process. */
  readonly #begun = new Map<number, number>();
  #isRecorded = false;

  constructor(
    engines: Pick<ProcessorDependencies, 'digestIndex' | 'clock'>,
    { topic, generation, partition }: Pick<PartitionAssignment, 'topic' | 'generation' | 'partition'>,
  ) {
    this.#engines = engines;
    this.#key = { kind: 'begun-work', digest: digestOf([topic, generation, partition]) };
  }

  /** Reads the starts by earlier processes, once: those of items from an offset on. @throws {EngineUnavailableError} */
  async load(from: number): Promise<void> {
    this.#before ??= await this.#load(from);
  }

  /** Returns how often earlier processes began an item without finishing it. */
  attemptsBefore(offset: number): number {
    return this.#before?.get(offset) ?? 0;
  }

  /** Records that these items begin now. @throws {EngineUnavailableError} */
  async begin(offsets: readonly number[]): Promise<void> {
    for (const offset of offsets) this.#begun.set(offset, this.attemptsBefore(offset) + 1);
    await this.#put();
    this.#isRecorded = true;
  }

  /** Removes an item that this process has finished. The next write stores that. */
  finish(offset: number): void {
    this.#before?.delete(offset);
    this.#begun.delete(offset);
  }

  /** Records that every item so far is finished and will not be delivered again. */
  endAll(): void {
    this.#isRecorded = false;
  }

  /** Stores that nothing is under way, so that an orderly end of the process is not counted. Best effort. */
  async clear(): Promise<void> {
    this.#begun.clear();
    if (this.#isRecorded) await this.#put().catch(() => undefined);
  }

  async #load(from: number): Promise<Map<number, number>> {
    const target = await this.#engines.digestIndex.get(this.#key);
    if (target === null) return new Map();
    const { version, begun } = begunSchema.parse(target);
    this.#version = version;
    return new Map(begun.filter(([offset]) => offset >= from));
  }

  async #put(): Promise<void> {
    this.#version += 1;
    const begun = [...new Map([...(this.#before ?? []), ...this.#begun])];
    await this.#engines.digestIndex.put({
      ...this.#key,
      target: { version: this.#version, begun },
      version: this.#version,
      expiresAt: this.#engines.clock.now() + KEPT_MS,
    });
  }
}
