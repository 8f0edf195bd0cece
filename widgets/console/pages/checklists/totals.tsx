import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';
import { percent, type Summary } from './funnel.ts';

interface TotalsProps {
  readonly revision: number;
  readonly summaries: readonly Summary[];
  /** The workspace's events against its plan; absent while they are read. */
  readonly events: Schemas['Quota'] | undefined;
}

/** The tally of one revision by cohort, and the events of the whole workspace. */
export function Totals({ revision, summaries, events }: TotalsProps) {
  return (
    <section class="panel tally five" aria-label={`Totals of revision ${revision}`}>
      <dl>
        {summaries.flatMap(({ cohort, enrollments, complete }) => [
          <div key={`${cohort}/enrolled`}>
            <dt>Enrolled, {cohort}</dt>
            <dd>{count(enrollments)}</dd>
          </div>,
          <div key={`${cohort}/finished`}>
            <dt>Finished, {cohort}</dt>
            <dd>
              {count(complete)} {enrollments > 0 && <small>{percent(complete, enrollments)}</small>}
            </dd>
          </div>,
        ])}
        <div>
          <dt>
            {events?.resetsAt === null ? 'Events, all checklists' : 'Events this month, all checklists'}
          </dt>
          <dd>{events === undefined ? '–' : <EventCount events={events} />}</dd>
        </div>
      </dl>
    </section>
  );
}

function EventCount({ events: { used, limit } }: { readonly events: Schemas['Quota'] }) {
  return (
    <>
      {count(used)} <small>of {count(limit)}</small>
    </>
  );
}
