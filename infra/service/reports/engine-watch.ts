import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { EngineReport } from '../../../schemas/operations/process-report.ts';
import { ENGINE_ANSWER_MS_MAX, type EnginePart } from '../engine/ports.ts';

/** Knows which parts of the engine answer, and since when. */
export class EngineWatch {
  readonly #parts: readonly EnginePart[];
  readonly #now: () => number;
  readonly #known = new Map<string, EngineReport>();

  constructor(parts: readonly EnginePart[], now: () => number) {
    this.#parts = parts;
    this.#now = now;
  }

  /** Asks all parts. Resolves within a bound, whatever they do. */
  read(): Promise<EngineReport[]> {
    return Promise.all(
      this.#parts.map(async ({ name, answers }) => {
        const isUp = await withTimeout(ENGINE_ANSWER_MS_MAX, answers(), () => new Error('no answer')).then(
          () => true,
          () => false,
        );
        const before = this.#known.get(name);
        const report = before?.isUp === isUp ? before : { name, isUp, since: this.#now() };
        this.#known.set(name, report);
        return report;
      }),
    );
  }
}
