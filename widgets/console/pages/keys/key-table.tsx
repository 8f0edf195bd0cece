import { mayDecide, useMembership } from '../../api/session.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { CopyButton } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { RelativeTime, useNow } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { keyState } from './key-state.ts';
import { Legend } from './legend.tsx';
import type { KeyOverview, KeyOverviews, Subscription } from './queries.ts';
import { RevokeRow } from './revoke-row.tsx';
import { Spark, totalOf } from './spark.tsx';

const COLUMNS: readonly Column[] = [
  'Name',
  'Key',
  'Last 36 hours',
  ['Calls', 'n'],
  'Last used',
  'State',
  { hidden: 'Actions' },
];
const SKELETON_ROWS = 3;

interface KeyTableProps {
  /** Undefined while they load. */
  readonly overviews: KeyOverviews | undefined;
  readonly subscription: Subscription['status'] | null;
  /** The keys that were just created. */
  readonly madeIds: readonly string[];
  /** The key whose revocation is to be confirmed. */
  readonly revokingId: string | null;
  readonly onRevoking: (keyId: string | null) => void;
  readonly onRevoked: (keyId: string) => void;
}

/** The active keys. Arrow keys move the row; the confirmation of a revocation opens below it. */
export function KeyTable(props: KeyTableProps) {
  const { overviews } = props;
  const { role } = useMembership();
  return (
    <section aria-labelledby="keys">
      <div class="section-head">
        <h2 id="keys" tabIndex={-1}>
          Active keys
        </h2>
        {overviews !== undefined && <p>{count(overviews.keys.length)}</p>}
        <Legend />
      </div>
      <Table label="Active keys table" class="keys-list" columns={COLUMNS}>
        {overviews === undefined ? (
          <RowsSkeleton rows={SKELETON_ROWS} columns={COLUMNS.length} />
        ) : (
          <Rows>
            {overviews.keys.map((key) => (
              <KeyRow {...props} key={key.keyId} apiKey={key} testPerMonth={overviews.limits.testPerMonth} />
            ))}
          </Rows>
        )}
      </Table>
      {overviews !== undefined && !mayDecide(role) && (
        <p class="hint" id={REASON}>
          Only an owner or admin creates and revokes keys. Ask one of them.
        </p>
      )}
    </section>
  );
}

/** The id of the sentence that says why a member revokes nothing. */
const REASON = 'keys-reason';

interface KeyRowProps extends KeyTableProps {
  readonly apiKey: KeyOverview;
  readonly testPerMonth: number;
}

function KeyRow({
  apiKey,
  testPerMonth,
  subscription,
  madeIds,
  revokingId,
  onRevoking,
  onRevoked,
}: KeyRowProps) {
  const { keyId, hours, lastUsedAt } = apiKey;
  const name = visibleText(apiKey.name);
  const state = keyState(apiKey, { now: useNow(), subscription, testPerMonth });
  const { allowed, denied, refused } = totalOf(hours);
  const isRevoking = revokingId === keyId;
  return (
    <>
      <tr id={keyId} aria-selected={isRevoking || madeIds.includes(keyId) ? true : undefined}>
        <th scope="row" class="clip" title={name}>
          <PageLink to={`/keys/${keyId}`}>{name}</PageLink>
        </th>
        <td>
          <MaskedKey apiKey={apiKey} />
        </td>
        <td>
          <Spark hours={hours} />
        </td>
        <td class="n">{count(allowed + denied + refused)}</td>
        <td>{lastUsedAt === null ? <span class="muted">never</span> : <RelativeTime at={lastUsedAt} />}</td>
        <td>
          <State tone={state.tone}>{state.word}</State>
          {state.cure !== null && <span class="sub">{state.cure}</span>}
        </td>
        <td class="end">
          <RevokeButton
            name={name}
            isOpen={isRevoking}
            onPress={() => onRevoking(isRevoking ? null : keyId)}
          />
        </td>
      </tr>
      {isRevoking && (
        <RevokeRow
          apiKey={apiKey}
          columns={COLUMNS.length}
          onKeep={() => {
            onRevoking(null);
            document.querySelector<HTMLElement>(`#${keyId} .row-actions button`)?.focus();
          }}
          onRevoked={() => onRevoked(keyId)}
        />
      )}
    </>
  );
}

/** `svc_limiter_live_…x7Qa`: the part of a key that is kept, which is also what is copied. */
function MaskedKey({ apiKey: { prefix, last4, name } }: { readonly apiKey: KeyOverview }) {
  const masked = `${prefix}…${last4}`;
  return (
    <span class="id">
      <code>{masked}</code>
      <CopyButton value={masked} label={`Copy prefix and last four of ${visibleText(name)}`} />
    </span>
  );
}

interface RevokeButtonProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

function RevokeButton({ name, isOpen, onPress }: RevokeButtonProps) {
  const { role } = useMembership();
  const isOff = !mayDecide(role);
  return (
    <span class="row-actions">
      <button
        type="button"
        class="btn quiet small"
        aria-expanded={isOpen}
        aria-disabled={isOff}
        aria-describedby={isOff ? REASON : undefined}
        onClick={() => {
          if (!isOff) onPress();
        }}
      >
        Revoke<span class="vh"> {name}</span>
      </button>
    </span>
  );
}
