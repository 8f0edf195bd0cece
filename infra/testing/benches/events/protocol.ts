/** What the process that measures asks of the process that is measured. */
export type Question =
  /** Opens the engine, on data of its own. */
  | { readonly kind: 'open' }
  /** Appends so many commands, spread over so many new aggregates. */
  | { readonly kind: 'fill'; readonly aggregates: number; readonly commands: number }
  /** Starts the processor and waits until it has handled so many commands. */
  | { readonly kind: 'fold'; readonly commands: number }
  /** The same work on the same records without anything of ours; `cluster` only. */
  | { readonly kind: 'fold-bare'; readonly commands: number }
  /** Appends and folds so many commands at the same time, and tells its memory now and then. */
  | { readonly kind: 'soak'; readonly aggregates: number; readonly commands: number }
  /** Starts the processor and the gateway. */
  | { readonly kind: 'serve' }
  /** Ends everything and removes the data. */
  | { readonly kind: 'close' };

export interface Answer {
  /** How long it took. */
  readonly ms: number;
  /** CPU time of the process meanwhile. */
  readonly cpuMs: number;
  /** Where `serve` listens; else 0. */
  readonly port: number;
  /** Resident bytes over the time of a `soak`; else empty. */
  readonly memory: readonly number[];
}

/** What comes back: an answer to the one question that is open, or why there is none. */
export type Reply = { readonly answer: Answer } | { readonly error: string };
