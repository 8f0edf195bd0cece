import { useQuery } from '@tanstack/preact-query';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Failed } from './failed.tsx';
import { deniedQuery } from './queries.ts';
import { lengthOf, type WindowName } from './window-name.ts';

interface DeniedSectionProps {
  readonly keyId: string;
  readonly onLook: (window: WindowName) => void;
}

/** The identifiers that reached their limits lately, so that a support request has an answer. */
export function DeniedSection({ keyId, onLook }: DeniedSectionProps) {
  const denied = useQuery(deniedQuery(keyId));
  return (
    <section aria-labelledby="denied">
      <div class="section-head">
        <h2 id="denied">Denied most</h2>
        {denied.data !== undefined && (
          <p>
            since <AbsoluteTime at={denied.data.since} />
          </p>
        )}
      </div>
      <Failed
        error={denied.error}
        title="The denied calls could not be read"
        onRetry={() => void denied.refetch()}
      />
      {denied.data === undefined ? (
        denied.error === null && <PanelSkeleton />
      ) : denied.data.windows.length === 0 ? (
        <p class="hint">No identifier has reached its limit.</p>
      ) : (
        <Table
          label="Denied identifiers table"
          class="denied-list dense"
          columns={[
            'Identifier',
            'Namespace',
            'Window',
            ['Denied calls', 'n'],
            { hidden: 'Actions', class: 'end' },
          ]}
        >
          <Rows>
            {denied.data.windows.map(({ denied: calls, ...name }) => (
              <tr key={`${name.window} ${name.namespace} ${name.identifier}`}>
                <th scope="row" class="clip" title={visibleText(name.identifier)}>
                  {visibleText(name.identifier)}
                </th>
                <td class="clip">{visibleText(name.namespace)}</td>
                <td>{lengthOf(name)}</td>
                <td class="n">{count(calls)}</td>
                <td class="end">
                  <button type="button" class="btn quiet small" data-open="" onClick={() => onLook(name)}>
                    Look<span class="vh"> at the window of {visibleText(name.identifier)}</span>
                  </button>
                </td>
              </tr>
            ))}
          </Rows>
        </Table>
      )}
    </section>
  );
}
