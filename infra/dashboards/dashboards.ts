import type { DashboardSpec, Query } from './grafana.ts';

const REQUESTS = 'svc_http_request_duration_seconds';
const BACKLOG = 'group=~"(fold|work)-.+"';

/** The quantiles of a histogram, one line each. */
function quantiles(metric: string, matchers = '', by = ''): Query[] {
  const labels = by === '' ? 'le' : `le, ${by}`;
  const legend = by === '' ? '' : ` {{${by}}}`;
  return ['0.5', '0.99'].map((quantile) => [
    `histogram_quantile(${quantile}, sum by (${labels}) (rate(${metric}_bucket{${matchers}}[$__rate_interval])))`,
    `p${Number(quantile) * 100}${legend}`,
  ]);
}

/** The rate of a counter by a label. */
function rates(metric: string, by: string, matchers = ''): Query {
  return [`sum by (${by}) (rate(${metric}{${matchers}}[$__rate_interval]))`, `{{${by}}}`];
}

/** The worst 99th percentile of each value of a label. */
function slowest(metric: string, by: string, matchers = ''): Query {
  return [
    `histogram_quantile(0.99, sum by (le, ${by}) (rate(${metric}_bucket{${matchers}}[$__rate_interval])))`,
    `{{${by}}}`,
  ];
}

const overview: DashboardSpec = {
  title: 'overview',
  panels: [
    {
      title: 'Processes that are ready',
      about: 'Each process that is not ready says why at /readyz.',
      unit: 'short',
      stat: true,
      queries: [
        ['sum(svc_ready)', 'ready'],
        ['count(svc_ready)', 'all'],
      ],
    },
    {
      title: 'Engines that answer',
      about: '0: the engine does not answer one process or more.',
      unit: 'short',
      queries: [['min by (engine) (svc_engine_up)', '{{engine}}']],
    },
    {
      title: 'Budget burn of the latest hour',
      about: '1 spends the budget of the month in a month; above 14.4 an alert with severity `page` fires.',
      unit: 'short',
      queries: [
        ['svc:checks_failed:ratio_rate1h / 0.001', 'checks that fail'],
        ['svc:checks_slow:ratio_rate1h / 0.01', 'checks over 50 ms'],
        ['svc:events_refused:ratio_rate1h / 0.001', 'events refused'],
        ['svc:events_late:ratio_rate1h / 0.01', 'events over 1 s'],
      ],
    },
    {
      title: 'Records not handled',
      about:
        'By topic; it falls to zero after each peak. Sweeps, which stay behind on purpose, are not counted.',
      unit: 'short',
      queries: [[`sum by (topic) (svc_consumer_lag_records{${BACKLOG}})`, '{{topic}}']],
    },
    {
      title: 'Requests',
      about: 'By class of the status; `gone` are callers that went away.',
      unit: 'reqps',
      queries: [rates(`${REQUESTS}_count`, 'status')],
    },
    {
      title: 'Time of requests',
      about: 'Of all routes together.',
      unit: 's',
      queries: quantiles(REQUESTS),
    },
    {
      title: 'Errors by code',
      about:
        'The ten most frequent. `unavailable` and `internal_error` are ours; the others are answers to callers.',
      unit: 'reqps',
      queries: [['topk(10, sum by (code) (rate(svc_http_errors_total[$__rate_interval])))', '{{code}}']],
    },
    {
      title: 'CPU',
      about: 'Cores by process.',
      unit: 'short',
      queries: [['rate(process_cpu_seconds_total[$__rate_interval])', '{{instance}}']],
    },
    {
      title: 'Event loop',
      about: 'Share of its one core that the event loop of each process uses.',
      unit: 'percentunit',
      queries: [['rate(svc_event_loop_active_seconds_total[$__rate_interval])', '{{instance}}']],
    },
    {
      title: 'Pauses',
      about: 'Delay of the event loop, and seconds a second in the garbage collector.',
      unit: 's',
      queries: [
        ['max(nodejs_eventloop_lag_p99_seconds)', 'event loop p99'],
        ['sum by (kind) (rate(nodejs_gc_duration_seconds_sum[$__rate_interval]))', 'collector {{kind}}'],
      ],
    },
    {
      title: 'Memory',
      about: 'Resident memory of each process, and the largest heap.',
      unit: 'bytes',
      queries: [
        ['process_resident_memory_bytes', '{{instance}}'],
        ['max(nodejs_heap_size_used_bytes)', 'largest heap'],
      ],
    },
    {
      title: 'Sessions that begin',
      about: 'Of people in the console, and of imports and checklists on pages.',
      unit: 'short',
      queries: [rates('svc_sessions_total', 'kind')],
    },
    {
      title: 'Bytes of blobs',
      about: 'Files of imports, artifacts and screenshots.',
      unit: 'Bps',
      queries: [rates('svc_blob_bytes_total', 'direction')],
    },
  ],
};

const pipeline: DashboardSpec = {
  title: 'pipeline',
  panels: [
    {
      title: 'Commands',
      about: 'Decided by topic.',
      unit: 'ops',
      queries: [rates('svc_commands_total', 'topic')],
    },
    {
      title: 'Refusals',
      about: 'Commands that a fold refused, by code. `internal_error` is a fault of ours.',
      unit: 'ops',
      queries: [rates('svc_commands_total', 'code', 'outcome="refused"')],
    },
    {
      title: 'Age of commands',
      about: '99th percentile from append to commit. A client waits at least this long.',
      unit: 's',
      queries: [slowest('svc_command_age_seconds', 'topic')],
    },
    {
      title: 'Lag',
      about: 'Records by group. It grows while processors are too few or stand still.',
      unit: 'short',
      queries: [[`sum by (group) (svc_consumer_lag_records{${BACKLOG}})`, '{{group}}']],
    },
    {
      title: 'Oldest record',
      about: 'Age of the oldest record that was delivered and not handled.',
      unit: 's',
      queries: [[`max by (group) (svc_consumer_oldest_age_seconds{${BACKLOG}})`, '{{group}}']],
    },
    {
      title: 'Halted partitions',
      about: 'Must be zero. The log line RecordHaltsPartition names the record.',
      unit: 'short',
      stat: true,
      queries: [['sum(svc_consumer_halted_partitions)', 'halted']],
    },
    {
      title: 'Commits by result',
      about:
        '`stale`: another process was first. `unknown`: no answer, looked up. `failed`: the store refused.',
      unit: 'ops',
      queries: [rates('svc_commit_duration_seconds_count', 'result')],
    },
    {
      title: 'Time of commits',
      about: '99th percentile by table.',
      unit: 's',
      queries: [slowest('svc_commit_duration_seconds', 'table')],
    },
    {
      title: 'Commands in one commit',
      about: 'Mean by topic; it grows with the load, which is how the pipeline keeps up.',
      unit: 'short',
      queries: [
        [
          'sum by (topic) (rate(svc_commit_commands_sum[$__rate_interval])) / sum by (topic) (rate(svc_commit_commands_count[$__rate_interval]))',
          '{{topic}}',
        ],
      ],
    },
    {
      title: 'Time of appends',
      about: '99th percentile by topic, until the record is durable.',
      unit: 's',
      queries: [slowest('svc_log_append_duration_seconds', 'topic')],
    },
    {
      title: 'Dead letters and late commands',
      about: 'In ten minutes. A late command came after its deadline and changed nothing.',
      unit: 'short',
      queries: [
        ['sum by (topic) (increase(svc_dead_letters_total[10m]))', 'dead letters of {{topic}}'],
        ['sum(increase(svc_late_commands_total[10m]))', 'late commands'],
      ],
    },
    {
      title: 'Cached aggregates',
      about: 'Evicted rows, and look-ups in the filters: `absent` saves a read.',
      unit: 'ops',
      queries: [
        ['sum(rate(svc_cache_evicted_rows_total[$__rate_interval]))', 'rows evicted'],
        rates('svc_cache_filter_lookups_total', 'result'),
      ],
    },
    {
      title: 'Clocks',
      about: 'How far each process is ahead of the log. At 5 s it is not ready.',
      unit: 's',
      queries: [['abs(svc_log_clock_ahead_seconds)', '{{instance}}']],
    },
    {
      title: 'Disk room',
      about: '1: the embedded engine uses its reserve and accepts nothing new.',
      unit: 'short',
      stat: true,
      queries: [['max(svc_engine_room_scarce)', 'scarce']],
    },
  ],
};

const LIMITER = 'svc_limiter_check_duration_seconds';
const CHECK = 'route=~"/v1/checks?(/each)?"';

const limiter: DashboardSpec = {
  title: 'limiter',
  panels: [
    {
      title: 'Checks by result',
      about: '`unavailable` is answered with 500; the others are answers, or what had to be filled in.',
      unit: 'ops',
      queries: [rates(`${LIMITER}_count`, 'result')],
    },
    {
      title: 'Time of the store',
      about: 'The limit is 250 ms; then the check fails.',
      unit: 's',
      queries: quantiles(LIMITER),
    },
    {
      title: 'Time of checks',
      about: 'From the arrival of the request until its answer is sent.',
      unit: 's',
      queries: quantiles(REQUESTS, CHECK),
    },
    {
      title: 'Share of bad checks',
      about: 'Objectives: 0.1 % without an answer, 1 % over 50 ms.',
      unit: 'percentunit',
      queries: [
        ['svc:checks_failed:ratio_rate5m', '5xx'],
        ['svc:checks_slow:ratio_rate5m', 'over 50 ms'],
      ],
    },
    {
      title: 'Refused checks',
      about:
        'By code: `rate_limited` is the quota of a key, `unauthorized` a key that is unknown or revoked.',
      unit: 'reqps',
      queries: [rates('svc_http_errors_total', 'code', CHECK)],
    },
    {
      title: 'Unpublished usage',
      about: 'Counts that the latest round found. It must not grow for long: bills are made of them.',
      unit: 'short',
      queries: [['svc_limiter_pending_usage', '{{instance}}']],
    },
  ],
};

const IMPORT_TOPICS = 'topic=~"import-.+"';

const imports: DashboardSpec = {
  title: 'imports',
  panels: [
    {
      title: 'Rows',
      about: 'Validated by result.',
      unit: 'ops',
      queries: [rates('svc_import_rows_total', 'result')],
    },
    {
      title: 'Time of each phase',
      about: '99th percentile: split of a file, validation of a partition, join of its result.',
      unit: 's',
      queries: [slowest('svc_import_phase_duration_seconds', 'phase')],
    },
    {
      title: 'Items of work',
      about: 'By result; `failed` ends a validation with `internal`, `interrupted` comes again.',
      unit: 'ops',
      queries: [rates('svc_work_duration_seconds_count', 'result', IMPORT_TOPICS)],
    },
    {
      title: 'Items that wait',
      about: 'More workers shorten this queue.',
      unit: 'short',
      queries: [
        [`sum by (topic) (svc_consumer_lag_records{${IMPORT_TOPICS},group=~"work-.+"})`, '{{topic}}'],
      ],
    },
    {
      title: 'Oldest item',
      about: 'How long a customer waits for the first sign of progress.',
      unit: 's',
      queries: [
        [`max by (topic) (svc_consumer_oldest_age_seconds{${IMPORT_TOPICS},group=~"work-.+"})`, '{{topic}}'],
      ],
    },
    {
      title: 'Uploads',
      about: 'By class of the status.',
      unit: 'reqps',
      queries: [rates(`${REQUESTS}_count`, 'status', 'route="/v1/import/uploads/:importId"')],
    },
    {
      title: 'Commands of imports',
      about: 'Decided by type: reserve, upload, map, validate, approve, acknowledge.',
      unit: 'ops',
      queries: [rates('svc_commands_total', 'command', 'topic="imports"')],
    },
    {
      title: 'Deliveries',
      about: 'Requests of the backends of customers, by class of the status.',
      unit: 'reqps',
      queries: [rates(`${REQUESTS}_count`, 'status', 'route=~"/v1/import/delivery/.+"')],
    },
    {
      title: 'Bytes of blobs',
      about: 'Written by uploads and validations, read by validations and deliveries.',
      unit: 'Bps',
      queries: [rates('svc_blob_bytes_total', 'direction')],
    },
  ],
};

const RUNS = 'topic=~"check-runs|check-preview-runs"';

const checks: DashboardSpec = {
  title: 'browser checks',
  panels: [
    {
      title: 'Runs by result',
      about: '`internal` and `crash` are ours; the other reasons are findings about the page.',
      unit: 'ops',
      queries: [rates('svc_check_runs_total', 'result')],
    },
    {
      title: 'Time of runs',
      about: 'In the browser, without the wait before.',
      unit: 's',
      queries: quantiles('svc_work_duration_seconds', RUNS),
    },
    {
      title: 'Runs that wait',
      about: 'More runners shorten this queue.',
      unit: 'short',
      queries: [[`sum(svc_consumer_lag_records{${RUNS},group=~"work-.+"})`, 'waiting']],
    },
    {
      title: 'Oldest run that waits',
      about: 'How long a customer waits for a browser.',
      unit: 's',
      queries: [[`max(svc_consumer_oldest_age_seconds{${RUNS},group=~"work-.+"})`, 'oldest']],
    },
    {
      title: 'Browsers',
      about: 'Browsers that run now, by process.',
      unit: 'short',
      queries: [['svc_check_browsers', '{{instance}}']],
    },
    {
      title: 'Refused connections',
      about: 'In ten minutes, by rule. `address`, `own-host` and `name` are attempts to reach private hosts.',
      unit: 'short',
      queries: [['sum by (rule) (increase(svc_check_egress_refused_total[10m]))', '{{rule}}']],
    },
  ],
};

/** Every dashboard by the name of its file. */
export const DASHBOARDS: Readonly<Record<string, DashboardSpec>> = {
  overview,
  pipeline,
  limiter,
  imports,
  checks,
};
