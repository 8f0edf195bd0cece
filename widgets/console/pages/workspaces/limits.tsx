import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';
import { Shape } from '../../parts/table/state.tsx';
import { absoluteTime, bothTimes } from '../../parts/table/time.tsx';
import { meterOf, type Quota } from './meters.ts';

type LimitsInUse = Schemas['WorkspaceOverview']['limits'];

interface LimitsProps {
  readonly limits: LimitsInUse;
  readonly plan: Schemas['Plan'];
}

/** The meters of every limit: how much, when it starts again, and what happens at the end. */
export function Limits({ limits, plan }: LimitsProps) {
  const month = plan === 'preview' ? '' : ' this month';
  const groups: readonly [string, readonly (readonly [string, Quota | undefined])[]][] = [
    [
      'Checklist',
      [
        [`Events${month}`, limits.svcactivate?.events],
        ['Enrollments', limits.svcactivate?.enrollments],
        ['Checklists', limits.svcactivate?.checklists],
      ],
    ],
    [
      'Import',
      [
        [`Imports${month}`, limits.svcimport?.imports],
        ['Schemas', limits.svcimport?.schemas],
      ],
    ],
    [
      'Browser check',
      [
        [`Runs${month}`, limits?.svccheck?.runs],
        ['Suites', limits?.svccheck?.suites],
        ['Origins', limits?.svccheck?.origins],
      ],
    ],
    [
      'Feedback',
      [
        [`Submissions${month}`, limits.svcfeedback?.submissions],
        ['Widgets', limits.svcfeedback?.widgets],
      ],
    ],
  ];
  const resetsAt = limits.svcfeedback?.submissions.resetsAt ?? null;
  return (
    <section aria-labelledby="limits">
      <div class="panel">
        <div class="panel-head">
          <h2 id="limits">Limits</h2>
        </div>
        <div class="panel-body limits">
          {groups.map(([name, meters]) => (
            <MeterGroup key={name} name={name} meters={meters} />
          ))}
        </div>
        <p class="panel-foot">
          {resetsAt !== null && (
            <>
              Months reset{' '}
              <time dateTime={resetsAt} title={bothTimes(resetsAt)}>
                {absoluteTime(resetsAt)}
              </time>
              .{' '}
            </>
          )}
          At a limit, requests are refused with 429 and nothing is charged.
        </p>
      </div>
    </section>
  );
}

interface MeterGroupProps {
  readonly name: string;
  readonly meters: readonly (readonly [string, Quota | undefined])[];
}

function MeterGroup({ name, meters }: MeterGroupProps) {
  const known = meters.flatMap(([label, quota]) => (quota === undefined ? [] : [{ label, quota }]));
  if (known.length === 0) return null;
  return (
    <div>
      <h3>{name}</h3>
      <dl>
        {known.map(({ label, quota }) => (
          <Meter key={label} label={label} quota={quota} />
        ))}
      </dl>
    </div>
  );
}

function Meter({ label, quota }: { readonly label: string; readonly quota: Quota }) {
  const { percent, tone, hint } = meterOf(quota, absoluteTime);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {tone === null ? (
          count(quota.used)
        ) : (
          <span class={`count-${tone}`}>
            <Shape tone={tone} />
            {count(quota.used)}
          </span>
        )}{' '}
        <span class="muted">of {count(quota.limit)}</span>
      </dd>
      <dd aria-hidden="true">
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class={tone ?? ''} width={percent} height="4" />
        </svg>
      </dd>
      {hint !== null && <dd class="hint">{hint}</dd>}
    </div>
  );
}
