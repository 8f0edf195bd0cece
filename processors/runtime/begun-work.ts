// Reads and writes: which items of one partition of a work topic have been begun.
import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import type { LogRecord, PartitionAssignment } from '../../topics/ports/log.ts';
import type { LookupKey } from '../../topics/ports/lookups.ts';
import type { ProcessorDependencies } from './dependencies.ts';

/** As long as the log keeps the items. */
const KEPT_MS = 14 * DAY_MS;

const begunSchema = z.object({
  version: z.int(),
  /** Starts of each item, by its offset. */
  begun: z.array(z.tuple([z.int(), z.int().positive()])),
});

/**
 * The items of one partition that are under way, noted in the store before they begin. A process that finds one there which it
 * has not begun itself follows another that ended, maybe because of that item.
 */
export class BegunWork {
  readonly #engines: Pick<ProcessorDependencies, 'lookups' | 'clock'>;
  readonly #key: LookupKey;
  #version = 0;
  /** By offset; null before the first look. */
  #before: Map<number, number> | null = null;
  #isNoted = false;

  constructor(
    engines: Pick<ProcessorDependencies, 'lookups' | 'clock'>,
    { topic, generation, partition }: Pick<PartitionAssignment, 'topic' | 'generation' | 'partition'>,
  ) {
    this.#engines = engines;
    this.#key = { kind: 'begun-work', digest: digestOf([topic, generation, partition]) };
  }

  /**
   * How often earlier processes began each of these items without an end, in their order.
   *
   * @throws {EngineUnavailableError}
   */
  async attemptsBefore(records: readonly LogRecord[]): Promise<number[]> {
    this.#before ??= await this.#load();
    const before = this.#before;
    return records.map(({ offset }) => before.get(offset) ?? 0);
  }

  /** Notes that these items begin now, together with those that earlier processes began. @throws {EngineUnavailableError} */
  async note(records: readonly LogRecord[]): Promise<void> {
    const before = this.#before ?? new Map<number, number>();
    const first = records[0]?.offset ?? 0;
    const begun = new Map([...before].filter(([offset]) => offset > first));
    for (const { offset } of records) begun.set(offset, (before.get(offset) ?? 0) + 1);
    await this.#put([...begun]);
    this.#isNoted = true;
  }

  /** Clears the item's count of starts: from here on, its fate says nothing about earlier processes. */
  settle({ offset }: LogRecord): void {
    this.#before?.delete(offset);
  }

  /** Says that every item noted so far has come to its end: nothing of it will be delivered again. */
  endAll(): void {
    this.#isNoted = false;
  }

  /** Notes that nothing is under way, so that an orderly end of the process is not counted. Best effort. */
  async clear(): Promise<void> {
    if (!this.#isNoted) return;
    await this.#put([...(this.#before ?? [])]).catch(() => undefined);
  }

  async #load(): Promise<Map<number, number>> {
    const target = await this.#engines.lookups.get(this.#key);
    if (target === null) return new Map();
    const { version, begun } = begunSchema.parse(target);
    this.#version = version;
    return new Map(begun);
  }

  async #put(begun: readonly (readonly [number, number])[]): Promise<void> {
    this.#version += 1;
    await this.#engines.lookups.put({
      ...this.#key,
      target: { version: this.#version, begun: begun.map(([offset, attempts]) => [offset, attempts]) },
      version: this.#version,
      expiresAt: this.#engines.clock.now() + KEPT_MS,
    });
  }
}
