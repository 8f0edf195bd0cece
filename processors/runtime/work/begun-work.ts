// Reads and writes: the begun items of one partition of a work topic.
import { z } from 'zod';
import { digestOf } from '../../../schemas/base/digest.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { IndexKey } from '../../../topics/ports/digest-index.ts';
import type { PartitionAssignment } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../dependencies.ts';

/** As long as the log keeps the items. */
const KEPT_MS = 14 * DAY_MS;

/** Numbers by the offset of an item. */
const countsSchema = z.array(z.tuple([z.int(), z.int().positive()]));

const begunSchema = z.object({
  version: z.int(),
  begun: countsSchema,
  /** Absent: written by an earlier release. */
  alone: countsSchema.default([]),
});

/** The processes that ended while they had an item in work. */
export interface Ends {
  /** Those that may have had others in work at that time. */
  readonly beside: number;
  /** Those that had no other item in work. A process that ended while it held the item back resets the number. */
  readonly alone: number;
}

const NO_ENDS: Ends = { beside: 0, alone: 0 };

/**
 * The items of one partition that are under way, stored before they begin, as the next process has to read them if this one
 * ends now.
 */
export class BegunWork {
  readonly #engines: Pick<ProcessorDependencies, 'digestIndex' | 'clock'>;
  readonly #key: IndexKey;
  #version = 0;
  /** The ends of earlier processes by offset; null until they are read. */
  #before: Map<number, Ends> | null = null;
  /** The same for items that this process has begun, with its end. */
  readonly #begun = new Map<number, Ends>();
  #isRecorded = false;

  constructor(
    engines: Pick<ProcessorDependencies, 'digestIndex' | 'clock'>,
    { topic, generation, partition }: Pick<PartitionAssignment, 'topic' | 'generation' | 'partition'>,
  ) {
    this.#engines = engines;
    this.#key = { kind: 'begun-work', digest: digestOf([topic, generation, partition]) };
  }

  /** Reads the ends of earlier processes, once: those of items from an offset on. @throws {EngineUnavailableError} */
  async load(from: number): Promise<void> {
    this.#before ??= await this.#load(from);
  }

  /** Returns the earlier processes that ended while they had an item in work. */
  endsOf(offset: number): Ends {
    return this.#before?.get(offset) ?? NO_ENDS;
  }

  /** Records that items begin beside others. @throws {EngineUnavailableError} */
  begin(offsets: readonly number[]): Promise<void> {
    return this.#record(offsets, ({ beside, alone }) => ({ beside: beside + 1, alone }));
  }

  /** Records that an item begins alone. @throws {EngineUnavailableError} */
  beginAlone(offset: number): Promise<void> {
    return this.#record([offset], ({ beside, alone }) => ({ beside, alone: alone + 1 }));
  }

  /** Records that an item is held back: if this process ends without it, the item was not the cause. @throws {EngineUnavailableError} */
  hold(offset: number): Promise<void> {
    return this.#record([offset], ({ beside }) => ({ beside, alone: 0 }));
  }

  /** Records that the end of this process says nothing about an item any more. @throws {EngineUnavailableError} */
  withdraw(offset: number): Promise<void> {
    return this.#record(this.#begun.has(offset) ? [offset] : [], (ends) => ends);
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

  async #record(offsets: readonly number[], change: (before: Ends) => Ends): Promise<void> {
    for (const offset of offsets) this.#begun.set(offset, change(this.endsOf(offset)));
    this.#isRecorded = true;
    await this.#put();
  }

  async #load(from: number): Promise<Map<number, Ends>> {
    const target = await this.#engines.digestIndex.get(this.#key);
    if (target === null) return new Map();
    const { version, begun, alone } = begunSchema.parse(target);
    this.#version = version;
    const aloneOf = new Map(alone);
    const present = begun.filter(([offset]) => offset >= from);
    return new Map(present.map(([offset, beside]) => [offset, { beside, alone: aloneOf.get(offset) ?? 0 }]));
  }

  async #put(): Promise<void> {
    this.#version += 1;
    const all = [...new Map([...(this.#before ?? []), ...this.#begun])];
    const begun = all.map(([offset, { beside }]) => [offset, beside]);
    const alone = all.flatMap(([offset, ends]) => (ends.alone > 0 ? [[offset, ends.alone]] : []));
    await this.#engines.digestIndex.put({
      ...this.#key,
      target: { version: this.#version, begun, alone },
      version: this.#version,
      expiresAt: this.#engines.clock.now() + KEPT_MS,
    });
  }
}
