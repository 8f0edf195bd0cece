import { Badge, Shape } from '../../parts/state.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import type { Summary } from './queries.ts';

type Finding = Summary['findings'][number];

/** The page that says more about each finding. */
const RUNBOOK = '/docs/runbook';

/** The findings, the worst with all of its words first. Empty while all is well. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const [worst, ...others] = findings;
  if (worst === undefined) return null;
  return (
    <section aria-label="What is wrong" class="findings">
      <div class="panel next">
        <p class="kicker">
          <Badge tone={worst.severity}>{worst.severity === 'bad' ? 'Now' : 'Soon'}</Badge>
          {worst.since !== null && (
            <span>
              since <RelativeTime at={worst.since} />
            </span>
          )}
        </p>
        <h2>{worst.title}</h2>
        <p>
          <b>Affected:</b> {worst.affected}
        </p>
        <p>
          <b>What to do:</b> {worst.cure}
        </p>
        <a class="btn primary large" href={`${RUNBOOK}#${worst.name}`}>
          Open the runbook
        </a>
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
              <a href={`${RUNBOOK}#${finding.name}`}>
                Runbook<span class="vh">: {finding.title}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
