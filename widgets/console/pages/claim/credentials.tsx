import type { Schemas } from '../../api/interface.ts';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

interface HoldersProps {
  readonly credentials: readonly Schemas['Credential'][];
  readonly isClaimed: boolean;
}

/** Everything that has access to the workspace, with its last use. */
export function Holders({ credentials, isClaimed }: HoldersProps) {
  return (
    <section aria-labelledby="holders">
      <div class="section-head">
        <h2 id="holders">Who holds a credential</h2>
        <p>They keep working after the claim, until you rotate or revoke them</p>
      </div>
      <Table
        label="Credentials table"
        class="dense"
        columns={['Holder', 'Credential', 'Last used', ['State', 'end']]}
      >
        <tbody>
          {credentials.map(({ credentialId, name, last4, lastUsedAt }) => (
            <tr key={credentialId}>
              <th scope="row">{visibleText(name ?? 'Agent')}</th>
              <td>
                <code>svc_project_…{last4}</code>
              </td>
              <td>
                {lastUsedAt === null ? <span class="muted">never</span> : <RelativeTime at={lastUsedAt} />}
              </td>
              <td class="end">
                <State tone={lastUsedAt === null ? 'idle' : 'ok'}>
                  {lastUsedAt === null ? 'Not used yet' : 'In use'}
                </State>
              </td>
            </tr>
          ))}
          {!isClaimed && (
            <tr>
              <th scope="row">Agent, provision token</th>
              <td>
                <code>svc_provision_…</code>
              </td>
              <td class="muted">Created this link</td>
              <td class="end">
                <State tone="idle">Ends with the claim</State>
              </td>
            </tr>
          )}
        </tbody>
      </Table>
    </section>
  );
}
