// Reads and writes: the begun items of one partition of a work topic.
import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import type { IndexKey } from '../../topics/ports/digest-index.ts';
import type { LogRecord, PartitionAssignment } from '../../topics/ports/log.ts';
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
  /** Starts by offset; null until the first read. */
  #before: Map<number, number> | null = null;
  #isRecorded = false;

  constructor(
    engines: Pick<ProcessorDependencies, 'digestIndex' | 'clock'>,
    { topic, generation, partition }: Pick<PartitionAssignment, 'topic' | 'generation' | 'partition'>,
  ) {
    this.#engines = engines;
    this.#key = { kind: 'begun-work', digest: digestOf([topic, generation, partition]) };
  }

  /**
   * Returns how often earlier processes began each of these items without finishing it, in the order of the records.
   *
   * @throws {EngineUnavailableError}
   */
  async attemptsBefore(records: readonly LogRecord[]): Promise<number[]> {
    this.#before ??= await this.#load();
    const before = this.#before;
    return records.map(({ offset }) => before.get(offset) ?? 0);
  }

  /** Records that these items begin now, besides those that earlier processes began. @throws {EngineUnavailableError} */
  async note(records: readonly LogRecord[]): Promise<void> {
    const before = this.#before ?? new Map<number, number>();
    const first = records[0]?.offset ?? 0;
    const begun = new Map([...before].filter(([offset]) => offset > first));
    for (const { offset } of records) begun.set(offset, (before.get(offset) ?? 0) + 1);
    await this.#put([...begun]);
    this.#isRecorded = true;
  }

  /** Clears the item's count of starts, because this process has finished it. */
  settle({ offset }: LogRecord): void {
    this.#before?.delete(offset);
  }

  /** Records that every item so far is finished and will not be delivered again. */
  endAll(): void {
    this.#isRecorded = false;
  }

  /** Stores that nothing is under way, so that an orderly end of the process is not counted. Best effort. */
  async clear(): Promise<void> {
    if (!this.#isRecorded) return;
    await this.#put([...(this.#before ?? [])]).catch(() => undefined);
  }

  async #load(): Promise<Map<number, number>> {
    const target = await this.#engines.digestIndex.get(this.#key);
    if (target === null) return new Map();
    const { version, begun } = begunSchema.parse(target);
    this.#version = version;
    return new Map(begun);
  }

  async #put(begun: readonly (readonly [number, number])[]): Promise<void> {
    this.#version += 1;
    await this.#engines.digestIndex.put({
      ...this.#key,
      target: { version: this.#version, begun: begun.map(([offset, attempts]) => [offset, attempts]) },
      version: this.#version,
      expiresAt: this.#engines.clock.now() + KEPT_MS,
    });
  }
}
