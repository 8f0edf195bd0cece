import { SECOND_MS } from '../../schemas/base/time.ts';
import {
  BAD_LEAST,
  BURN_RATE_PAGE,
  CHECK_FAST_MS,
  EVENT_LATE_MS,
  OBJECTIVES,
  objectiveText,
  runbookEntry,
} from '../../schemas/operations/objectives.ts';
import { ALERTS, type Alert } from './alert-list.ts';

/** The requests of an objective, as Prometheus counts them. */
interface Measured {
  /** Names the recorded rules. */
  readonly name: string;
  readonly metric: string;
  readonly labels: string;
  /** The label of what is bad; or the bucket of what is good. */
  readonly bad: { readonly label: string } | { readonly slowerThanMs: number };
  readonly title: string;
}

const CHECKS = { metric: 'svc_http_request_duration_seconds', labels: 'route=~"/v1/checks?(/each)?"' };

const MEASURED: Readonly<Record<keyof typeof OBJECTIVES, Measured>> = {
  checksAnswered: {
    ...CHECKS,
    name: 'checks_failed',
    bad: { label: 'status="5xx"' },
    title: 'Rate-limit checks fail',
  },
  checksFast: {
    ...CHECKS,
    name: 'checks_slow',
    bad: { slowerThanMs: CHECK_FAST_MS },
    title: 'Rate-limit checks are slow',
  },
  eventsAnswered: {
    name: 'events_refused',
    metric: 'svc_http_request_duration_seconds',
    labels: 'route=~".+/checklists/:checklistId/events"',
    bad: { label: 'status="5xx"' },
    title: 'Checklist events are refused',
  },
  eventsCommitted: {
    name: 'events_late',
    metric: 'svc_command_age_seconds',
    labels: 'topic="activate"',
    bad: { slowerThanMs: EVENT_LATE_MS },
    title: 'Checklist events are committed late',
  },
};

const NAMES = Object.keys(OBJECTIVES) as (keyof typeof OBJECTIVES)[];

/** The windows in which the rules record the share of what was bad. */
const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const;

/** A burn rate of six spends 5 % of the month's budget in six hours; one spends 10 % in three days. */
const BURN_RATE_SIX_HOURS = 6;

/** Returns the groups of the rules of Prometheus. */
export function ruleGroups(): readonly { readonly name: string; readonly rules: readonly object[] }[] {
  return [
    { name: 'svc-objectives', rules: NAMES.flatMap((name) => recordings(MEASURED[name])) },
    { name: 'svc-burn-rates', rules: NAMES.flatMap(burnRates) },
    ...Object.entries(ALERTS).map(([name, alerts]) => ({ name, rules: alerts.map((each) => rule(each)) })),
  ];
}

/** The share of what was bad in each window, and the number in an hour. */
function recordings({ name, metric, labels, bad }: Measured): object[] {
  const count = (more = '') => `${metric}_count{${labels}${more}}`;
  const sum = (over: string, window: string, what: string) => `sum by (job) (${over}(${what}[${window}]))`;
  const good = 'label' in bad ? null : `${metric}_bucket{${labels},le="${bad.slowerThanMs / SECOND_MS}"}`;
  const failed = 'label' in bad ? count(`,${bad.label}`) : '';
  const ratio = (window: string) =>
    good === null
      ? `${sum('rate', window, failed)} / ${sum('rate', window, count())}`
      : `1 - ${sum('rate', window, good)} / ${sum('rate', window, count())}`;
  const increase =
    good === null
      ? sum('increase', '1h', failed)
      : `${sum('increase', '1h', count())} - ${sum('increase', '1h', good)}`;
  return [
    ...WINDOWS.map((window) => ({ record: `svc:${name}:ratio_rate${window}`, expr: ratio(window) })),
    { record: `svc:${name}:increase1h`, expr: increase },
  ];
}

/** Each burn rate is taken in two windows (The Site Reliability Workbook, chapter 5). The short one ends the alert soon after its cause. */
function burnRates(objective: keyof typeof OBJECTIVES): object[] {
  const { alert, share } = OBJECTIVES[objective];
  const { name, title } = MEASURED[objective];
  const over = (rate: number, ...windows: (typeof WINDOWS)[number][]) =>
    windows
      .map((window) => `svc:${name}:ratio_rate${window} > ${Number((rate * (1 - share)).toPrecision(6))}`)
      .join(' and ');
  const more = { objective: `${objectiveText(OBJECTIVES[objective])} in 30 days` };
  return [
    rule(
      {
        alert,
        severity: 'page',
        expr: `((${over(BURN_RATE_PAGE, '1h', '5m')}) or (${over(BURN_RATE_SIX_HOURS, '6h', '30m')})) and svc:${name}:increase1h > ${BAD_LEAST}`,
        summary: `${title}: {{ $value | humanizePercentage }} in the latest hours.`,
      },
      more,
    ),
    rule(
      {
        alert,
        severity: 'ticket',
        for: '1h',
        expr: over(1, '3d', '6h'),
        summary: `${title}: {{ $value | humanizePercentage }} of three days.`,
      },
      more,
    ),
  ];
}

function rule({ severity, summary, ...alert }: Alert, annotations: object = {}): object {
  const runbook = `infra/docs/runbook.md#${runbookEntry(alert.alert)}`;
  return { ...alert, labels: { severity }, annotations: { summary, ...annotations, runbook } };
}
