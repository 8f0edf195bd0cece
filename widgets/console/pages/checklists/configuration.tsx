import { useLocation, useSearchParams } from 'wouter-preact';
import { SelectField } from '../../parts/form/select.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { lineDifferences } from './line-differences.ts';
import type { Revision } from './queries.ts';
import { type View, viewQuery } from './view.ts';

interface ConfigurationProps {
  readonly revisions: readonly Revision[];
  readonly view: View;
}

/** The configuration of a revision, with its differences to another one. */
export function ConfigurationSection({ revisions, view: { revision, against } }: ConfigurationProps) {
  const [params] = useSearchParams();
  const [address, go] = useLocation();
  const shown = revisions.find((each) => each.revision === revision);
  if (shown === undefined) return null;
  const other = revisions.find((each) => each.revision === against);
  const now = linesOf(shown);
  const choices = revisions.filter((each) => each !== shown);
  return (
    <section aria-labelledby="configuration">
      <div class="section-head">
        <h2 id="configuration">Revision {revision}</h2>
        <p>
          {other !== undefined && `against revision ${other.revision}, `}configured{' '}
          <AbsoluteTime at={shown.createdAt} />
        </p>
      </div>
      {choices.length > 0 && (
        <div class="toolbar">
          <SelectField
            label="Compare with"
            value={String(against ?? 'none')}
            options={[
              { value: 'none', label: 'No other revision' },
              ...choices.map((each) => ({
                value: String(each.revision),
                label: `Revision ${each.revision}`,
              })),
            ]}
            onChange={(chosen) => go(address + viewQuery(params, { against: chosen }))}
          />
        </div>
      )}
      <details class="panel folded" open={other !== undefined}>
        <summary>{`Configuration, ${counted(now.length, 'line')}`}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to scroll by keyboard. */}
        <section class="diff" aria-label="Configuration" tabIndex={0}>
          {lineDifferences(other === undefined ? now : linesOf(other), now).map(({ kind, number, text }) => (
            <div key={`${kind}/${number}`} class={kind}>
              <span>{number}</span>
              <span>
                {kind === 'add' && '+'}
                {kind === 'del' && '−'}
                {kind !== 'same' && <span class="vh">{kind === 'add' ? ' added' : ' removed'}</span>}
              </span>
              <span>{visibleText(text)}</span>
            </div>
          ))}
        </section>
      </details>
    </section>
  );
}

function linesOf({ configuration }: Revision): string[] {
  return JSON.stringify(configuration, null, 2).split('\n');
}

/** The pages that may open a session: all that the service tells of sessions, which it keeps by a derived id only. */
export function OriginsSection({ revision }: { readonly revision: Revision }) {
  const { allowedOrigins } = revision.configuration;
  return (
    <section aria-labelledby="sessions">
      <div class="section-head">
        <h2 id="sessions">Sessions</h2>
        <p>Pages on these origins can show subjects their progress, read-only</p>
      </div>
      <ul class="panel listed">
        {allowedOrigins.length === 0 && (
          <li class="muted">None. Without an origin no session can be issued.</li>
        )}
        {allowedOrigins.map((origin) => (
          <li key={origin}>
            <code>{visibleText(origin)}</code>
          </li>
        ))}
      </ul>
      <p class="hint">
        Open sessions are not listed: the service keeps them by an id that names no subject. Erasing a subject
        ends its sessions.
      </p>
    </section>
  );
}
