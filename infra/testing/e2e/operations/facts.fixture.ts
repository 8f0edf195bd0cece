import { expect } from 'vitest';

/** The members of an answer that never change, or all of them. */
export type Lasting = readonly string[] | 'everything';

interface Fact {
  readonly ask: () => Promise<unknown>;
  readonly answer: unknown;
}

/** Answers of the service, each with its request. A repeated request has to get the same answer. */
export class Facts {
  readonly #facts = new Map<string, Fact>();

  /** Sends a request, remembers the answer for {@link recheck}, and returns it. */
  async learn<Answer>(what: string, lasting: Lasting, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = await ask();
    this.#facts.set(what, {
      ask: async () => lastingPart(await ask(), lasting),
      answer: lastingPart(answer, lasting),
    });
    return answer;
  }

  /** From now on the answer may be another one. */
  retire(what: string): void {
    if (!this.#facts.delete(what)) throw new Error(`retiring ${what}, which was never learned`);
  }

  /** Sends all requests once more. */
  async recheck(): Promise<void> {
    for (const [what, { ask, answer }] of this.#facts) {
      expect(await ask(), `${what}, asked again`).toEqual(answer);
    }
  }
}

function lastingPart(answer: unknown, lasting: Lasting): unknown {
  if (lasting === 'everything') return answer;
  const members = Object.entries(answer ?? {}).filter(([name]) => lasting.includes(name));
  // A name that the answer does not have would be compared with nothing.
  expect(members.map(([name]) => name).sort()).toEqual([...lasting].sort());
  return Object.fromEntries(members);
}
