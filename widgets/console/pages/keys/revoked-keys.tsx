import { useInfiniteQuery } from '@tanstack/preact-query';
import type { Schemas } from '../../api/interface.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime, useNow } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Failed } from './failed.tsx';
import { hasEnded } from './key-state.ts';
import { allKeysQuery } from './queries.ts';

/** Every key that there was. */
export function useAllKeys() {
  return useInfiniteQuery(allKeysQuery);
}

interface RevokedKeysProps {
  /** Read by the page: a second reader that begins with a failure would read again, which hides and shows the page without an end. */
  readonly list: ReturnType<typeof useAllKeys>;
  /** The active keys that cannot be read, which the page shows above. */
  readonly shown: readonly Schemas['UnreadableEntry'][];
}

/** The keys that were revoked or have expired. They stay in the list, and never work again. */
export function RevokedKeys({ list, shown }: RevokedKeysProps) {
  const now = useNow();
  const keys = list.data?.pages.flatMap((page) => page.keys.filter((key) => hasEnded(key, now))) ?? [];
  const unreadable = unreadableIn(list.data?.pages).filter(({ id }) => shown.every((each) => each.id !== id));
  if (keys.length + unreadable.length === 0 && !list.hasNextPage && list.error === null) return null;
  return (
    <section aria-labelledby="revoked">
      <div class="section-head">
        <h2 id="revoked">Revoked and expired keys</h2>
        {list.data !== undefined && (
          <p>
            {count(keys.length)}
            {list.hasNextPage && ' so far'}
          </p>
        )}
      </div>
      <Failed
        error={list.error}
        title="The revoked keys could not be read"
        onRetry={() => void list.refetch()}
      />
      {keys.length > 0 && (
        <Table
          label="Revoked and expired keys table"
          class="revoked-list dense"
          columns={['Name', 'Key', 'Last used', 'Ended']}
        >
          <Rows>
            {keys.map(({ keyId, name, prefix, last4, lastUsedAt, revokedAt, expiresAt }) => (
              <tr key={keyId} class="ended">
                <th scope="row" class="clip" title={visibleText(name)}>
                  <PageLink to={`/keys/${keyId}`}>{visibleText(name)}</PageLink>
                </th>
                <td>
                  <code>{`${prefix}…${last4}`}</code>
                </td>
                <td>{lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} />}</td>
                <td>
                  {revokedAt === null ? 'expired ' : 'revoked '}
                  <RelativeTime at={revokedAt ?? expiresAt ?? ''} />
                </td>
              </tr>
            ))}
          </Rows>
        </Table>
      )}
      <UnreadableEntries entries={unreadable} />
      {list.hasNextPage && (
        <button
          type="button"
          class="btn"
          aria-disabled={list.isFetchingNextPage}
          onClick={() => {
            if (!list.isFetchingNextPage) void list.fetchNextPage();
          }}
        >
          Show older keys
        </button>
      )}
    </section>
  );
}
