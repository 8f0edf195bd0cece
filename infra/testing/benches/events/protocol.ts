/** A request from the measuring process to the measured process. */
export type Question =
  /** Opens the engine on fresh data. */
  | { readonly kind: 'open' }
  /** Appends the commands, spread over the new aggregates. */
  | { readonly kind: 'fill'; readonly aggregates: number; readonly commands: number }
  /** Starts the processor and waits until it has handled this number of commands. */
  | { readonly kind: 'fold'; readonly commands: number }
  /** Appends and folds commands at the same time, and samples memory. */
  | { readonly kind: 'soak'; readonly aggregates: number; readonly commands: number }
  /** Appends further commands of the same aggregates, `atOnce` at a time, and folds them while the processor keeps running. */
  | {
      readonly kind: 'grow';
      /** The name of the aggregates, which are made when it is new. */
      readonly set: string;
      readonly aggregates: number;
      readonly commands: number;
      readonly atOnce: number;
    }
  /** Starts the processor and the gateway. */
  | { readonly kind: 'serve' }
  /** Ends every service of the process and removes the data. */
  | { readonly kind: 'close' };

/** `unmetered`: a second service in the process, on a separate folder, that counts nothing. For the embedded engine. */
export type ServiceName = 'usual' | 'unmetered';

export interface Request {
  readonly question: Question;
  readonly service: ServiceName;
}

export interface Answer {
  /** Duration of the work. */
  readonly ms: number;
  /** CPU time of the process meanwhile. */
  readonly cpuMs: number;
  /** The port on which `serve` listens; else 0. */
  readonly port: number;
  /** Resident bytes over the time of a `soak`; else empty. */
  readonly memory: readonly number[];
}

/** The reply to the one open question: its answer, or the reason why there is none. */
export type Reply = { readonly answer: Answer } | { readonly error: string };
