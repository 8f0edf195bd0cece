import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/numbers.ts';
import { Scroller } from '../../parts/scroller.tsx';
import { absoluteTime } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';

/** Everything that the service tells of a claim link. */
export type FoundClaim = Schemas['ClaimInspection'] & Schemas['ClaimDetails'];

interface InsideProps {
  readonly claim: FoundClaim;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** The contents of the workspace: counts against their limits, and every configured resource with its origins. */
export function Inside({ claim, readAt }: InsideProps) {
  const { inventory, limits, resources } = claim;
  const tally: readonly (readonly [string, number, number | undefined])[] = [
    ['Checklist events', limits.svcactivate?.events.used ?? 0, limits.svcactivate?.events.limit],
    ['Enrollments', inventory.enrollments, limits.svcactivate?.enrollments.limit],
    ['Imports', inventory.imports, limits.svcimport?.imports.limit],
    ['Schemas', inventory.importSchemas, limits.svcimport?.schemas.limit],
    ['Check runs', inventory.checkRuns, limits.svccheck?.runs.limit],
    ['Feedback submissions', inventory.feedbackSubmissions, limits.svcfeedback?.submissions.limit],
  ];
  return (
    <section aria-labelledby="inside">
      <div class="section-head">
        <h2 id="inside">What is inside</h2>
        <p>Counted {absoluteTime(new Date(readAt).toISOString())}</p>
      </div>
      <div class="panel">
        <dl class="tally">
          {tally.map(([name, used, limit]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {count(used)} {limit !== undefined && <small>of {count(limit)}</small>}
              </dd>
            </div>
          ))}
        </dl>
        <Scroller label="Inventory table">
          <table class="dense">
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Name</th>
                <th scope="col">Origins</th>
              </tr>
            </thead>
            <tbody>
              {resources.map(({ kind, id, name, allowedOrigins }) => (
                <tr key={id}>
                  <td>{kind === 'checklist' ? 'Checklist' : 'Import schema'}</td>
                  <td>{visibleText(name)}</td>
                  <td>{allowedOrigins.map(visibleText).join(', ')}</td>
                </tr>
              ))}
              {resources.length === 0 && (
                <tr>
                  <td colSpan={3} class="muted">
                    Nothing is configured yet.
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </Scroller>
      </div>
    </section>
  );
}
