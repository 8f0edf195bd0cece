/**
 * An engine (log, store, blobs, look-ups, replies, counters) cannot be reached or did not answer in time, and nothing
 * was changed by this call, or repeating it is harmless. Callers retry with growing pauses or answer 503.
 */
export class EngineUnavailableError extends Error {
  constructor(engine: string, options?: ErrorOptions) {
    super(`reaching the ${engine}`, options);
    this.name = 'EngineUnavailableError';
  }
}

/** An engine answered that it has no room for this. Nothing was changed. Room comes back as older entries end, or by an operator. */
export class EngineFullError extends EngineUnavailableError {
  constructor(engine: string, options?: ErrorOptions) {
    super(engine, options);
    this.name = 'EngineFullError';
  }
}

/**
 * A conditional commit got no answer: it may or may not have been applied
 * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). The caller must look before it does anything else with the
 * aggregate.
 */
export class CommitUnknownError extends Error {
  constructor(options?: ErrorOptions) {
    super('waiting for the answer to a commit', options);
    this.name = 'CommitUnknownError';
  }
}

/**
 * The log lacks records that were handled before: state was made from them, or their group continues after them. The
 * partition stays halted until a person restarts the process: as soon as the log has grown, the records that took the places
 * of the lost ones would count as handled.
 */
export class LostRecordsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LostRecordsError';
  }
}
