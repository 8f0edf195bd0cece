import { expect } from 'vitest';

/** The members of an answer that never change, or all of them. */
export type Lasting = readonly string[] | 'everything';

interface Fact {
  readonly ask: () => Promise<unknown>;
  readonly answer: unknown;
}

/** What the service has answered, with the request that got the answer: asked again, it has to be told the same. */
export class Facts {
  readonly #facts = new Map<string, Fact>();

  /** Asks, remembers the answer for {@link recheck}, and returns it. */
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

  /** Asks for everything once more. */
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
