import { useQuery } from '@tanstack/preact-query';
import { count } from '../../parts/numbers.ts';
import { Rows } from '../../parts/rows.tsx';
import { PanelSkeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { AbsoluteTime, duration } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { Failed } from './failed.tsx';
import { deniedQuery } from './queries.ts';

/** The identifiers that reached their limits lately, so that a support request has an answer. */
export function DeniedSection({ keyId }: { readonly keyId: string }) {
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
          class="dense"
          columns={['Identifier', 'Namespace', 'Window', ['Denied calls', 'n']]}
        >
          <Rows>
            {denied.data.windows.map(({ namespace, identifier, window, denied: calls }) => (
              <tr key={`${window} ${namespace} ${identifier}`}>
                <th scope="row" class="clip" title={visibleText(identifier)}>
                  {visibleText(identifier)}
                </th>
                <td class="clip">{visibleText(namespace)}</td>
                <td>{duration(window)}</td>
                <td class="n">{count(calls)}</td>
              </tr>
            ))}
          </Rows>
        </Table>
      )}
    </section>
  );
}
