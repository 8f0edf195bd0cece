import { Badge, Shape } from '../../parts/table/state.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import type { Summary } from './queries.ts';

/** A finding. `list`: the list on this page that it is about, where there is one. */
export type ShownFinding = Summary['findings'][number] & {
  readonly list?: { readonly at: string; readonly label: string };
};

/** The page that says more about each finding. */
const RUNBOOK = '/docs/runbook';

/** The findings, the worst with all of its words first. Empty while all is well. */
export function Findings({ findings }: { readonly findings: readonly ShownFinding[] }) {
  const [worst, ...others] = findings;
  if (worst === undefined) return null;
  return (
    <section aria-label="What is wrong" class="findings">
      <div class="panel next">
        <p class="kicker">
          <Badge tone={worst.severity}>{worst.severity === 'bad' ? 'Now' : 'Warning'}</Badge>
          {worst.since !== null && (
            <span>
              since <AbsoluteTime at={worst.since} />
            </span>
          )}
        </p>
        <h2>{worst.title}</h2>
        <p>
          <b>Who is affected:</b> {worst.affected}
        </p>
        <p>
          <b>What to do:</b> {worst.cure}
        </p>
        {worst.list === undefined ? (
          <a class="btn primary large" href={`${RUNBOOK}#${worst.name}`}>
            Open the runbook
          </a>
        ) : (
          <>
            <p>
              <a href={`${RUNBOOK}#${worst.name}`}>Open the runbook</a>
            </p>
            <a class="btn primary large" href={worst.list.at}>
              {worst.list.label}
            </a>
          </>
        )}
      </div>
      {others.length > 0 && (
        <ul class="panel others">
          {others.map((finding) => (
            <li key={`${finding.name} ${finding.title}`}>
              <span class={`state ${finding.severity}`}>
                <Shape tone={finding.severity} />
              </span>
              <div>
                <h3>{finding.title}</h3>
                <p>
                  {finding.affected} {finding.cure}
                </p>
              </div>
              <p>
                {finding.list !== undefined && (
                  <>
                    <a href={finding.list.at}>{finding.list.label}</a>{' '}
                  </>
                )}
                <a href={`${RUNBOOK}#${finding.name}`}>
                  Runbook<span class="vh">: {finding.title}</span>
                </a>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
