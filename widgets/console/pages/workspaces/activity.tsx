import '../../style/lanes.css';
import { useSearchParams } from 'wouter-preact';
import type { Schemas } from '../../api/interface.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { count } from '../../parts/table/numbers.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { bars, hourLabels, type Lane, lanesOf, peakOf, totalOf } from './hourly-activity.ts';

interface ActivitySectionProps {
  readonly activity: Schemas['WorkspaceActivity'];
}

/** The counts of the products in each of the last 24 hours: as lanes, or as a table at `?activity=table`. */
export function ActivitySection({ activity }: ActivitySectionProps) {
  const [params] = useSearchParams();
  const isTable = params.get('activity') === 'table';
  return (
    <section aria-labelledby="activity">
      <div class="section-head">
        <h2 id="activity">Activity</h2>
        <p>Accepted per hour, last 24 hours</p>
        <div class="actions">
          <PageLink
            to={isTable ? location.pathname : `${location.pathname}?activity=table`}
            isCurrent={false}
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </PageLink>
        </div>
      </div>
      {activity.products.length === 0 ? (
        <div class="panel panel-body muted">The workspace has no product that counts activity.</div>
      ) : isTable ? (
        <HourTable from={activity.from} lanes={lanesOf(activity)} />
      ) : (
        <Lanes from={activity.from} lanes={lanesOf(activity)} />
      )}
    </section>
  );
}

interface HoursProps {
  readonly from: string;
  readonly lanes: readonly Lane[];
}

function Lanes({ from, lanes }: HoursProps) {
  const labels = hourLabels(from);
  const busy = lanes.filter((lane) => totalOf(lane) > 0);
  const idle = lanes.filter((lane) => totalOf(lane) === 0);
  const quiet = `None in the last 24 hours: ${listed(idle)}.`;
  if (busy.length === 0) return <div class="panel panel-body muted">{quiet}</div>;
  return (
    <div class="panel panel-body">
      <dl class="lanes">
        {busy.map((lane) => (
          <div key={lane.label}>
            <dt>{lane.label}</dt>
            <dd class="peak">
              <span>
                <span class="vh">Most in an hour </span>
                {count(peakOf(lane))}
              </span>
              <svg viewBox="0 0 240 40" preserveAspectRatio="none" aria-hidden="true">
                {bars(lane).map(({ x, y, height }) => (
                  <rect key={x} class="f1" x={x} y={y} width="7" height={height} />
                ))}
              </svg>
            </dd>
            <dd>
              <span class="vh">Total </span>
              {count(totalOf(lane))}
            </dd>
          </div>
        ))}
        <div>
          <dt class="label">UTC</dt>
          <dd class="scale" aria-hidden="true">
            <span>{labels[0]}</span>
            <span>{labels[6]}</span>
            <span>{labels[12]}</span>
            <span>{labels[18]}</span>
            <span>now</span>
          </dd>
          <dd class="label">total</dd>
        </div>
      </dl>
      {idle.length > 0 && <p class="hint">{quiet}</p>}
    </div>
  );
}

/** `imports, check runs and feedback`. */
function listed(lanes: readonly Lane[]): string {
  return new Intl.ListFormat('en-GB').format(lanes.map(({ label }) => label.toLowerCase()));
}

function HourTable({ from, lanes }: HoursProps) {
  return (
    <Table
      label="Activity table"
      class="dense"
      columns={['Hour, UTC', ...lanes.map(({ label }): Column => [label, 'end'])]}
    >
      <tbody>
        {hourLabels(from).map((hour, index) => (
          <tr key={hour}>
            <th scope="row">{hour}</th>
            {lanes.map(({ label, hours }) => (
              <td key={label} class="end num">
                {count(hours[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
