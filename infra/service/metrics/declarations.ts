/** The declaration of a metric, as Prometheus shows it. */
interface Declaration {
  /** With the base unit as its suffix: `_seconds`, `_bytes`, `_total` for a counter. */
  readonly name: `svc_${string}`;
  readonly help: string;
  /** Each has few values, which this program declares. */
  readonly labels: readonly string[];
}

interface CounterDeclaration extends Declaration {
  readonly kind: 'counter';
  readonly name: `svc_${string}_total`;
}

interface GaugeDeclaration extends Declaration {
  readonly kind: 'gauge';
}

interface HistogramDeclaration extends Declaration {
  readonly kind: 'histogram';
  /** Upper bounds in the unit of the name. */
  readonly buckets: readonly number[];
}

export type AnyDeclaration = CounterDeclaration | GaugeDeclaration | HistogramDeclaration;

/** Of requests and of steps that a request waits for: the objectives lie between 10 ms and 1 s. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of what may wait while an engine is away. */
const AGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800];
/** Of a split, a validation and a browser run. */
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** Up to BATCH_COMMANDS_MAX. */
const BATCH_COMMANDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Every metric of the service. infra/docs/metrics.md lists them, by `npm run interface`. */
export const METRICS = {
  ready: {
    kind: 'gauge',
    name: 'svc_ready',
    help: '1 if `/readyz` answers 200, else 0.',
    labels: [],
  },
  requestSeconds: {
    kind: 'histogram',
    name: 'svc_http_request_duration_seconds',
    help: 'Requests, from the arrival until the answer is sent. Without a route, `method` and `route` are empty.',
    labels: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
  },
  requestErrors: {
    kind: 'counter',
    name: 'svc_http_errors_total',
    help: 'Answers with an error, by its code.',
    labels: ['method', 'route', 'code'],
  },
  turnedAway: {
    kind: 'counter',
    name: 'svc_http_turned_away_total',
    help: 'Requests that an overloaded gateway did not read. `overload` got 503, `share` got 429, `gone` had closed its connection.',
    labels: ['reason'],
  },
  commands: {
    kind: 'counter',
    name: 'svc_commands_total',
    help: 'Commands that a commit has decided. `code` is that of a refusal.',
    labels: ['topic', 'command', 'outcome', 'code'],
  },
  commandSeconds: {
    kind: 'histogram',
    name: 'svc_command_age_seconds',
    help: 'Age of commands when their commit is answered, from their append.',
    labels: ['topic'],
    buckets: AGE_SECONDS,
  },
  lateCommands: {
    kind: 'counter',
    name: 'svc_late_commands_total',
    help: 'Commands that came after their deadline and changed nothing.',
    labels: ['topic'],
  },
  batchCommands: {
    kind: 'histogram',
    name: 'svc_commit_commands',
    help: 'Commands in one commit.',
    labels: ['topic'],
    buckets: BATCH_COMMANDS,
  },
  commitSeconds: {
    kind: 'histogram',
    name: 'svc_commit_duration_seconds',
    help: 'Commits of the store: `applied`, `stale` (another process was first), `unknown` (no answer, looked up) or `failed`.',
    labels: ['table', 'result'],
    buckets: REQUEST_SECONDS,
  },
  appendSeconds: {
    kind: 'histogram',
    name: 'svc_log_append_duration_seconds',
    help: 'Appends to the log, until their records are durable: `done` or `failed`. One that takes longer than 5 s is `failed`.',
    labels: ['topic', 'result'],
    buckets: REQUEST_SECONDS,
  },
  lag: {
    kind: 'gauge',
    name: 'svc_consumer_lag_records',
    help: 'Records that a group has not handled, of the partitions of this process. Groups `sweep-…` stay behind on purpose.',
    labels: ['topic', 'partition', 'group'],
  },
  oldestAge: {
    kind: 'gauge',
    name: 'svc_consumer_oldest_age_seconds',
    help: 'Age of the oldest record that was delivered and not handled; 0 if there is none.',
    labels: ['topic', 'partition', 'group'],
  },
  haltedPartitions: {
    kind: 'gauge',
    name: 'svc_consumer_halted_partitions',
    help: 'Partitions of this process that stand still at a record. The log names them.',
    labels: ['topic', 'group'],
  },
  deadLetters: {
    kind: 'counter',
    name: 'svc_dead_letters_total',
    help: 'Records that went to the dead-letter queue, by the topic that they came from.',
    labels: ['topic'],
  },
  evictedRows: {
    kind: 'counter',
    name: 'svc_cache_evicted_rows_total',
    help: 'Rows that were evicted from the cached aggregates.',
    labels: ['topic'],
  },
  filterLookups: {
    kind: 'counter',
    name: 'svc_cache_filter_lookups_total',
    help: 'Look-ups in the filters of evicted keys: `absent` saves a read, `possible` costs one.',
    labels: ['topic', 'result'],
  },
  workSeconds: {
    kind: 'histogram',
    name: 'svc_work_duration_seconds',
    help: 'Items of work, such as splits, validations and browser runs: `done`, `failed`, or `interrupted` to come again.',
    labels: ['topic', 'result'],
    buckets: WORK_SECONDS,
  },
  mails: {
    kind: 'counter',
    name: 'svc_mails_total',
    help: 'Attempts to send a mail: `accepted` or `refused` by the mail server, `postponed` or `unknown` to be repeated, `dropped` because it was not needed any more.',
    labels: ['kind', 'fate'],
  },
  importPhaseSeconds: {
    kind: 'histogram',
    name: 'svc_import_phase_duration_seconds',
    help: 'Steps of imports: `split` of a file, `validate` of a partition, `join` of its result, with the wait for the fold.',
    labels: ['phase'],
    buckets: WORK_SECONDS,
  },
  importRows: {
    kind: 'counter',
    name: 'svc_import_rows_total',
    help: 'Rows of validated partitions: `valid` or `invalid`.',
    labels: ['result'],
  },
  checkRuns: {
    kind: 'counter',
    name: 'svc_check_runs_total',
    help: 'Ended browser runs: `passed`, or the reason why not. `internal` and `crash` are faults of the runner.',
    labels: ['result'],
  },
  browsers: {
    kind: 'gauge',
    name: 'svc_check_browsers',
    help: 'Browsers that run.',
    labels: [],
  },
  egressRefused: {
    kind: 'counter',
    name: 'svc_check_egress_refused_total',
    help: 'Connections of pages and of proofs that a rule refused.',
    labels: ['rule'],
  },
  sessions: {
    kind: 'counter',
    name: 'svc_sessions_total',
    help: 'Sessions that began: of people in the `console`, by a sign-in, of an `import` on a page, of a `checklist` on a page.',
    labels: ['kind'],
  },
  limiterSeconds: {
    kind: 'histogram',
    name: 'svc_limiter_check_duration_seconds',
    help: 'Answers of the store of the limiter: `allowed`, `denied`, why the check was refused, what had to be filled in, or `unavailable`.',
    labels: ['result'],
    buckets: [0.00025, 0.0005, ...REQUEST_SECONDS],
  },
  pendingUsage: {
    kind: 'gauge',
    name: 'svc_limiter_pending_usage',
    help: 'Counts that the latest round of this gateway has found unpublished.',
    labels: [],
  },
  blobBytes: {
    kind: 'counter',
    name: 'svc_blob_bytes_total',
    help: 'Bytes of blobs that were `written` and `read`.',
    labels: ['direction'],
  },
  engineUp: {
    kind: 'gauge',
    name: 'svc_engine_up',
    help: '1 if the engine answers this process, else 0.',
    labels: ['engine'],
  },
  scarceRoom: {
    kind: 'gauge',
    name: 'svc_engine_room_scarce',
    help: '1 while the engine uses its reserve and accepts nothing new, else 0.',
    labels: [],
  },
  clockAhead: {
    kind: 'gauge',
    name: 'svc_log_clock_ahead_seconds',
    help: "Time by which this process's clock is certainly ahead of that of the log; negative: behind.",
    labels: [],
  },
  eventLoopSeconds: {
    kind: 'counter',
    name: 'svc_event_loop_active_seconds_total',
    help: 'Time in which the event loop was busy. Its rate is the utilization: 1 is all of a core.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, AnyDeclaration>>;

export type MetricKey = keyof typeof METRICS;
