import { useState } from 'preact/hooks';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Behind, numberOf } from './behind.tsx';
import type { Activity } from './queries.ts';
import { Section } from './section.tsx';

type Hour = Activity['hours'][number];

/** Hours that are shown at first. */
const HOURS_SHOWN = 6;

/** The way of workspaces from their creation to a claim, by the hour. */
export function Funnel({ activity: { hours, since } }: { readonly activity: Activity }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? hours : hours.slice(0, HOURS_SHOWN);
  return (
    <Section
      id="funnel"
      title="Workspaces per hour"
      about={
        since === null
          ? 'Nothing is known yet'
          : `In UTC, known since ${since.slice(0, 10)} ${since.slice(11, 16)}`
      }
      brief={`${total(hours.map(({ created }) => created))} created in ${hours.length} h`}
    >
      <Table
        label="Workspaces per hour, table"
        class="dense"
        columns={['Hour', ...COLUMNS.map(({ label }): Column => [label, 'n'])]}
      >
        <tbody>
          <tr class="sum">
            <th scope="row">All shown below</th>
            {COLUMNS.map(({ label, value }) => (
              <td key={label} class="n">
                <b>{total(shown.map(value))}</b>
              </td>
            ))}
          </tr>
          {shown.map((hour) => (
            <tr key={hour.at}>
              <th scope="row" class="num">
                {hour.at.slice(11, 16)}
              </th>
              {COLUMNS.map(({ label, value, named }) => (
                <td key={label} class="n">
                  <Behind
                    value={value(hour)}
                    workspaces={named?.(hour.workspaces) ?? []}
                    title={`${label} in the hour of ${hour.at.slice(11, 16)} UTC`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {hours.length > HOURS_SHOWN && (
        <p class="hint below">
          <button type="button" class="link" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            Show all {hours.length} hours
          </button>
        </p>
      )}
    </Section>
  );
}

interface Step {
  readonly label: string;
  readonly value: (hour: Hour) => number | null;
  /** Nothing was created for a refused address, and addresses are not kept. */
  readonly named?: (workspaces: Hour['workspaces']) => readonly string[];
}

const COLUMNS: readonly Step[] = [
  { label: 'Created', value: ({ created }) => created, named: ({ created }) => created },
  { label: 'Refused by address', value: ({ refused }) => refused },
  { label: 'Attached', value: ({ attached }) => attached, named: ({ attached }) => attached },
  { label: 'Claimed', value: ({ claimed }) => claimed, named: ({ claimed }) => claimed },
  { label: 'Expired', value: ({ expired }) => expired, named: ({ expired }) => expired },
];

function total(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  return numberOf(known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0));
}

/** Feedback of the latest day by the origin of the page. */
export function Origins({ origins }: { readonly origins: Activity['origins'] }) {
  return (
    <Section
      id="origins"
      title="Feedback by origin"
      about="24 h; held messages may come from programs"
      brief={origins.length === 0 ? 'None' : counted(origins.length, 'origin')}
    >
      <Table label="Origins table" class="dense" columns={['Origin', ['Accepted', 'n'], ['Held', 'n']]}>
        <tbody>
          {origins.map(({ origin, accepted, held, workspaces }) => (
            <tr key={origin}>
              <th scope="row">{visibleText(origin)}</th>
              {[accepted, held].map((value, index) => (
                <td key={index === 0 ? 'accepted' : 'held'} class="n">
                  <Behind {...{ value, workspaces }} title={`Feedback from ${visibleText(origin)}`} />
                </td>
              ))}
            </tr>
          ))}
          {origins.length === 0 && <None columns={3}>Each page that sends feedback comes here.</None>}
        </tbody>
      </Table>
    </Section>
  );
}

/** Workspaces near or at the end of a quota. */
export function Quotas({ quotas }: { readonly quotas: Activity['quotas'] }) {
  return (
    <Section
      id="quotas"
      title="Near a limit"
      about="Quotas that are used to 80 % and more"
      brief={quotas.length === 0 ? 'None' : counted(quotas.length, 'quota')}
    >
      <Table label="Quotas table" class="dense" columns={['Workspace', 'Quota', ['Used', 'n'], 'Latest use']}>
        <tbody>
          {quotas.map(({ workspaceId, product, quota, used, limit, at }) => (
            <tr key={`${workspaceId} ${product} ${quota}`}>
              <th scope="row">
                <Identifier value={workspaceId} name="workspace id" />
              </th>
              <td>{quota}</td>
              <td class="n">
                <span class={used >= limit ? 'tone-bad' : ''}>{count(used)}</span> of {count(limit)}
              </td>
              <td>
                <RelativeTime at={at} />
              </td>
            </tr>
          ))}
          {quotas.length === 0 && (
            <None columns={4}>A workspace comes here once it has used 80 % of a quota.</None>
          )}
        </tbody>
      </Table>
    </Section>
  );
}

/** The row of a list without entries, with what comes there. */
export function None({ columns, children }: { readonly columns: number; readonly children: string }) {
  return (
    <tr>
      <td colSpan={columns} class="muted wrap">
        None. {children}
      </td>
    </tr>
  );
}
