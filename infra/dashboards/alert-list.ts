import { MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { WATCHED_AGES, type WatchedAge } from '../../schemas/operations/objectives.ts';

/** A rule that calls a person. */
export interface Alert {
  readonly alert: string;
  /** `page`: users are affected now. `ticket`: a person looks at it within a working day. */
  readonly severity: 'page' | 'ticket';
  /** The time for which the expression has to hold, as Prometheus writes it; absent: none. */
  readonly for?: string;
  readonly expr: string;
  readonly summary: string;
}

/** The alerts beside those of objectives, by the groups of Prometheus. */
export const ALERTS: Readonly<Record<string, readonly Alert[]>> = {
  'svc-processes': [
    {
      alert: 'ServiceMissing',
      severity: 'page',
      for: '2m',
      expr: 'absent(svc_ready)',
      summary: 'Prometheus reads no process of the service.',
    },
    {
      alert: 'ProcessDown',
      severity: 'page',
      for: '1m',
      expr: 'up{job="svc"} == 0',
      summary: '{{ $labels.instance }} does not answer Prometheus.',
    },
    {
      alert: 'ProcessNotReady',
      severity: 'page',
      for: '2m',
      expr: 'svc_ready == 0',
      summary: '{{ $labels.instance }} answers /readyz with 503, and says why there.',
    },
    {
      alert: 'EngineDown',
      severity: 'page',
      for: '1m',
      expr: 'count by (job, engine) (svc_engine_up == 0) > 0',
      summary: '{{ $labels.engine }} does not answer {{ $value }} processes.',
    },
    {
      alert: 'ProcessRestarting',
      severity: 'ticket',
      expr: 'changes(process_start_time_seconds{job="svc"}[15m]) > 2',
      summary: '{{ $labels.instance }} started {{ $value }} times in 15 minutes.',
    },
    {
      alert: 'ClockApart',
      severity: 'ticket',
      for: '1m',
      expr: 'abs(svc_log_clock_ahead_seconds) > 2',
      summary: `The clock of {{ $labels.instance }} is {{ $value | humanizeDuration }} from the log's. At 5 s the process is not ready.`,
    },
    {
      alert: 'EventLoopBusy',
      severity: 'ticket',
      for: '10m',
      expr: 'rate(svc_event_loop_active_seconds_total[5m]) > 0.9',
      summary:
        'The one thread of {{ $labels.instance }} is busy for {{ $value | humanizePercentage }} of the time.',
    },
    {
      alert: 'RequestsTurnedAway',
      severity: 'page',
      for: '2m',
      expr: 'sum by (job) (rate(svc_http_turned_away_total{reason="overload"}[5m])) > 0',
      summary: '{{ $value | humanize }} requests a second get 503 because gateways are overloaded.',
    },
    {
      alert: 'DiskRoomScarce',
      severity: 'page',
      for: '1m',
      expr: 'svc_engine_room_scarce == 1',
      summary:
        'The disk of {{ $labels.instance }} is full up to the reserve: everything that creates something gets 503.',
    },
  ],
  'svc-pipeline': [
    {
      alert: 'PartitionHalted',
      severity: 'page',
      for: '1m',
      expr: 'sum by (job, topic, group) (svc_consumer_halted_partitions) > 0',
      summary: '{{ $value }} partitions of {{ $labels.topic }} stand still for {{ $labels.group }}.',
    },
    oldestRecord(
      'fold',
      WATCHED_AGES.fold,
      'The oldest command of {{ $labels.topic }} waits for {{ $value | humanizeDuration }}.',
    ),
    {
      alert: 'LagGrowing',
      severity: 'ticket',
      for: '10m',
      expr: 'sum by (job, topic, group) (svc_consumer_lag_records{group=~"(fold|work)-.+"}) > 1000 and sum by (job, topic, group) (deriv(svc_consumer_lag_records{group=~"(fold|work)-.+"}[10m])) > 0',
      summary:
        '{{ $labels.group }} is {{ $value }} records behind in {{ $labels.topic }}, and falls back further.',
    },
    oldestRecord(
      'work',
      WATCHED_AGES.work,
      'The oldest item of {{ $labels.topic }} waits for {{ $value | humanizeDuration }}.',
    ),
    {
      alert: 'TopicUnattended',
      severity: 'page',
      for: '2m',
      expr: 'sum by (job, topic) (rate(svc_log_append_duration_seconds_count[5m])) > 0 unless sum by (job, topic) (svc_consumer_lag_records{group=~"(fold|work)-.+"})',
      summary: 'Records arrive in {{ $labels.topic }}, and no process handles them.',
    },
    {
      alert: 'DeadLettered',
      severity: 'ticket',
      expr: 'sum by (job, topic) (increase(svc_dead_letters_total[10m])) > 0',
      summary: 'A record of {{ $labels.topic }} went to the dead letters.',
    },
    {
      alert: 'CommitsFailing',
      severity: 'page',
      for: '2m',
      expr: 'sum by (job, table) (rate(svc_commit_duration_seconds_count{result=~"failed|unknown"}[5m])) / sum by (job, table) (rate(svc_commit_duration_seconds_count[5m])) > 0.05',
      summary:
        '{{ $value | humanizePercentage }} of the commits of {{ $labels.table }} fail or get no answer.',
    },
    {
      alert: 'CommitsContended',
      severity: 'ticket',
      for: '10m',
      expr: 'sum by (job, table) (rate(svc_commit_duration_seconds_count{result="stale"}[10m])) / sum by (job, table) (rate(svc_commit_duration_seconds_count[10m])) > 0.05',
      summary:
        '{{ $value | humanizePercentage }} of the commits of {{ $labels.table }} lose to another process.',
    },
    {
      alert: 'AppendsFailing',
      severity: 'page',
      for: '1m',
      expr: 'sum by (job) (rate(svc_log_append_duration_seconds_count{result="failed"}[2m])) / sum by (job) (rate(svc_log_append_duration_seconds_count[2m])) > 0.01',
      summary: '{{ $value | humanizePercentage }} of the appends to the log fail.',
    },
  ],
  'svc-products': [
    {
      alert: 'LimiterStoreUnavailable',
      severity: 'page',
      for: '1m',
      expr: 'sum by (job) (rate(svc_limiter_check_duration_seconds_count{result="unavailable"}[2m])) > 0',
      summary:
        '{{ $value | humanize }} checks a second get 500 because the store of the limiter does not answer.',
    },
    {
      alert: 'UsageUnpublished',
      severity: 'ticket',
      for: '30m',
      expr: 'deriv(svc_limiter_pending_usage[30m]) > 0 and min_over_time(svc_limiter_pending_usage[5m]) > 1000',
      summary: '{{ $labels.instance }} finds more and more counts of calls that no round has published.',
    },
    {
      alert: 'WorkFailing',
      severity: 'ticket',
      expr: 'sum by (job, topic) (increase(svc_work_duration_seconds_count{result="failed"}[15m])) > 0',
      summary: 'Items of {{ $labels.topic }} failed.',
    },
    {
      alert: 'RunsErroring',
      severity: 'ticket',
      for: '5m',
      expr: 'sum by (job) (increase(svc_check_runs_total{result=~"internal|crash"}[30m])) / sum by (job) (increase(svc_check_runs_total[30m])) > 0.1',
      summary: '{{ $value | humanizePercentage }} of the browser runs end because of us.',
    },
    {
      alert: 'EgressRefused',
      severity: 'ticket',
      expr: 'sum by (job, rule) (increase(svc_check_egress_refused_total{rule=~"address|own-host|name"}[10m])) > 0',
      summary: 'A page asked for a private host; the rule {{ $labels.rule }} refused it.',
    },
  ],
};

/** The alert for records that wait too long in the topics of one kind of consumers. */
function oldestRecord(
  groups: string,
  { alert, severity, limitMs, forMs }: WatchedAge,
  summary: string,
): Alert {
  return {
    alert,
    severity,
    for: `${forMs / MINUTE_MS}m`,
    expr: `max by (job, topic, group) (svc_consumer_oldest_age_seconds{group=~"${groups}-.+"}) > ${limitMs / SECOND_MS}`,
    summary,
  };
}
