import type { JsonObject } from '../../../schemas/base/json.ts';
import type { TableName } from '../../../topics/catalogue.ts';

/** One row of one aggregate. Kind and id are empty for the root. */
export interface RowName {
  readonly table: TableName;
  readonly aggregate: string;
  readonly kind: string;
  readonly id: string;
}

/** What an acknowledged request promised: that a row is there, and what it says. */
export interface Promised {
  readonly row: RowName;
  /** What the row has to say; a row that only has to be there says anything. */
  readonly says?: { readonly what: string; readonly holds: (document: JsonObject) => boolean };
}

/** A limit of the product that several operations share. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
}

/** How one sending of a request ended. Unknown: without an answer, or with one that says so (503). */
export type Answer = 'acknowledged' | 'refused' | 'unknown';

export interface Attempt {
  readonly endedAt: number;
  readonly answer: Answer;
  /** The status and the code of the answer, or what the connection said. */
  readonly said: string;
  /** What this answer promised. */
  readonly promised: readonly Promised[];
}

/** What a client wanted, sent as often as it took, always with the same key. */
export interface Operation {
  readonly name: string;
  readonly quota: Quota | null;
  /** Codes of refusals that are in order here; any other is an answer that the client had no reason to expect. */
  readonly refusals: readonly string[];
  readonly attempts: Attempt[];
}

/** Everything that the clients of a run have wanted and were told, in the order in which they began. */
export class History {
  readonly operations: Operation[] = [];
  #acknowledged = 0;
  #underWay = 0;

  begin(operation: Omit<Operation, 'attempts'>): Operation {
    const begun = { ...operation, attempts: [] };
    this.operations.push(begun);
    return begun;
  }

  /** Notes the start of a sending. Returns how to note its end. */
  send(operation: Operation): (attempt: Omit<Attempt, 'endedAt'>) => void {
    this.#underWay += 1;
    return (attempt) => {
      this.#underWay -= 1;
      operation.attempts.push({ ...attempt, endedAt: performance.now() });
      if (attempt.answer === 'acknowledged') this.#acknowledged += 1;
    };
  }

  /** Acknowledgments so far. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Requests that wait for their answer just now. */
  get underWay(): number {
    return this.#underWay;
  }
}

/** The first attempt that was answered for certain, or null while there is none. */
export function settled({ attempts }: Operation): Attempt | null {
  return attempts.find(({ answer }) => answer !== 'unknown') ?? null;
}
