import type { JsonObject } from '../../../schemas/base/json.ts';
import type { TableName } from '../../../topics/catalogue.ts';
import type { LimiterCall } from './calls.ts';

/** One row of one aggregate. Kind and id are empty for the root. */
export interface RowName {
  readonly table: TableName;
  readonly aggregate: string;
  readonly kind: string;
  readonly id: string;
}

/** The promise of an acknowledgment: a row exists, with a certain content. */
export interface Promised {
  readonly row: RowName;
  /** The content that the row has to have. Absent: any content. */
  readonly says?: { readonly what: string; readonly holds: (document: JsonObject) => boolean };
}

/** A limit of the product that several operations share. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
}

/** The end of one attempt. `unknown`: no answer, or a 503, which leaves the outcome open. */
export type Answer = 'acknowledged' | 'refused' | 'unknown';

export interface Attempt {
  readonly endedAt: number;
  readonly answer: Answer;
  /** The status and the code of the answer, or the error of the connection. */
  readonly said: string;
  /** The promises of this answer. */
  readonly promised: readonly Promised[];
}

/** One request of a client, with all its attempts. They share one key. */
export interface Operation {
  readonly name: string;
  readonly quota: Quota | null;
  /** Codes of refusals that are in order here; any other is an answer that the client had no reason to expect. */
  readonly refusals: readonly string[];
  readonly attempts: Attempt[];
}

/** A read that contradicts what was acknowledged before it. */
export interface Observed {
  readonly kind: 'lost' | 'doubled';
  readonly what: string;
}

/** All requests and answers of the clients of a run, in the order in which the requests began. */
export class History {
  readonly operations: Operation[] = [];
  readonly observed: Observed[] = [];
  /** Calls of the limiter that are sent once, or a few times, and whose outcome may stay open. */
  readonly calls: LimiterCall[] = [];
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
