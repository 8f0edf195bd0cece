/** Stands for the number of a request in its text, as {@link NUMBER_DIGITS} digits. */
export const NUMBER = '{number}';
export const NUMBER_DIGITS = 64;

/** A caller with its own connections. */
export interface Caller {
  readonly name: string;
  /** The local address that it connects from. */
  readonly address: string;
  /** The whole text of a request. */
  readonly request: string;
}

export type Group = 'one' | 'rest';

export interface Phase {
  readonly port: number;
  readonly seconds: number;
  /** Of each caller, each with at most one request under way. */
  readonly connections: number;
  readonly loads: readonly {
    readonly caller: Caller;
    readonly group: Group;
    /** Null: as soon as one is answered. */
    readonly perSecond: number | null;
  }[];
}

export interface Figures {
  readonly accepted: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
  /** Answers with 429 or 503 and `Retry-After`. */
  readonly refused: number;
  readonly refusedP99Ms: number;
  /** Other answers, by status; what gets none is `broken`. */
  readonly others: Readonly<Record<string, number>>;
  /** Answers with 5xx, 503 included. */
  readonly serverErrors: number;
  /** Requests that were due while each connection of their caller was in use. */
  readonly unsent: number;
}

export interface Result extends Readonly<Record<Group, Figures>> {
  readonly seconds: number;
  /** The 99th percentile of the delay of the generator's own event loop, which is in each latency. */
  readonly generatorLateMs: number;
}
