import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';
import { Table } from '../../parts/table/table.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { ProofState } from '../../parts/workspace/proof-state.tsx';

/** Everything that the service tells of a claim link. */
export type FoundClaim = Schemas['ClaimInspection'] & Schemas['ClaimDetails'];

interface InsideProps {
  readonly claim: FoundClaim;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** The contents of the workspace: counts against their limits, and every configured resource with its origins. */
export function Inside({ claim, readAt }: InsideProps) {
  const { inventory, limits, resources, provedOrigins } = claim;
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
        <Table label="Inventory table" class="dense" columns={['Kind', 'Name', 'Origin', ['Proof', 'end']]}>
          <tbody>
            {resources.map((resource) => (
              <ResourceRows key={resource.id} resource={resource} provedOrigins={provedOrigins} />
            ))}
            {resources.length === 0 && (
              <tr>
                <td colSpan={4} class="muted">
                  Nothing is configured yet.
                </td>
              </tr>
            )}
          </tbody>
        </Table>
      </div>
    </section>
  );
}

interface ResourceRowsProps {
  readonly resource: FoundClaim['resources'][number];
  readonly provedOrigins: readonly string[];
}

/** One row for each origin of a resource, with its proof. The first one names the resource. */
function ResourceRows({ resource: { kind, name, allowedOrigins }, provedOrigins }: ResourceRowsProps) {
  const rows = Math.max(1, allowedOrigins.length);
  return Array.from({ length: rows }, (_, index) => {
    const origin = allowedOrigins[index];
    return (
      <tr key={origin ?? 'none'}>
        {index === 0 && (
          <>
            <td rowSpan={rows}>{kind === 'checklist' ? 'Checklist' : 'Import schema'}</td>
            <td rowSpan={rows}>{visibleText(name)}</td>
          </>
        )}
        <td>{origin === undefined ? <span class="muted">none yet</span> : visibleText(origin)}</td>
        <td class="end">
          {origin !== undefined && <ProofState isProved={provedOrigins.includes(origin)} />}
        </td>
      </tr>
    );
  });
}
