import '../../style/keys.css';
import { useQuery } from '@tanstack/preact-query';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { forgetShown, showOnce, useShownIds } from '../../parts/form/shown-once.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { CreateDialog, type CreatedKey } from './create-dialog.tsx';
import { Failed } from './failed.tsx';
import { KeyTable } from './key-table.tsx';
import { NoKeys } from './no-keys.tsx';
import { PasteBox } from './paste-box.tsx';
import { type KeyOverviews, overviewsQuery, type Subscription, subscriptionQuery } from './queries.ts';
import { RevokedKeys, useAllKeys } from './revoked-keys.tsx';
import { SubscriptionSection } from './subscription-section.tsx';
import { UsagePanel, UsageSkeleton } from './usage-panel.tsx';

/** The act of this page in the address. */
const CREATE = 'create';

/** `/keys`: the API keys of the organization, their use, the month and the subscription. */
export function KeysPage() {
  const { role } = useMembership();
  const list = useQuery(overviewsQuery);
  const billing = useQuery(subscriptionQuery);
  const [act, ask] = useAsked('do');
  const [revokingId, setRevoking] = useAsked('revoke');
  const shownIds = useShownIds();
  const { data: overviews } = list;
  const { data: subscription } = billing;
  const status = subscription?.status ?? null;
  const isEmpty = overviews?.keys.length === 0 && overviews.unreadable === undefined;
  const isFailed = overviews === undefined && list.error !== null;
  const isLoading = list.isPending || (billing.isPending && !isEmpty);
  const onRevoked = (keyId: string) => {
    setRevoking(null);
    forgetShown(keyId);
    document.getElementById('keys')?.focus();
  };
  return (
    <>
      <PageHead
        title="Keys"
        actions={<CreateButton onAct={() => ask(CREATE)} />}
        lines={2}
        meta={overviews === undefined ? null : <Places overviews={overviews} />}
      />
      <div class="stack">
        <Faults
          faults={[
            { error: list.error, title: 'The keys could not be read', onRetry: () => void list.refetch() },
            {
              error: billing.error,
              title: 'The subscription could not be read',
              onRetry: () => void billing.refetch(),
            },
          ]}
        />
        {isEmpty && <NoKeys />}
        {overviews !== undefined && subscription !== undefined && !isEmpty && (
          <UsagePanel overviews={overviews} subscription={subscription} />
        )}
        {isLoading && <UsageSkeleton />}
        {!isEmpty && !isFailed && (
          <KeyTable
            overviews={overviews}
            subscription={status}
            madeIds={shownIds}
            revokingId={revokingId}
            onRevoking={setRevoking}
            onRevoked={onRevoked}
          />
        )}
        <UnreadableEntries entries={overviews?.unreadable} />
        <BelowKeys
          isRead={!list.isPending && !billing.isPending}
          subscription={subscription}
          overviews={overviews}
        />
      </div>
      {act === CREATE && mayDecide(role) && (
        <CreateDialog
          subscription={status}
          onClose={() => ask(null)}
          onMade={(key) => {
            ask(null);
            showKey(key);
          }}
        />
      )}
    </>
  );
}

interface BelowKeysProps {
  /** True once the answers above are there. */
  readonly isRead: boolean;
  readonly subscription: Subscription | undefined;
  readonly overviews: KeyOverviews | undefined;
}

/** The sections below the keys. They appear together, so that none moves another. */
function BelowKeys({ isRead, subscription, overviews }: BelowKeysProps) {
  const revoked = useAllKeys();
  if (!isRead || revoked.isPending) return null;
  return (
    <>
      <RevokedKeys list={revoked} shown={overviews?.unreadable ?? []} />
      {subscription !== undefined && <SubscriptionSection subscription={subscription} />}
      <PasteBox keys={overviews?.keys ?? []} />
    </>
  );
}

function CreateButton({ onAct }: { readonly onAct: () => void }) {
  const { role } = useMembership();
  return (
    <ActionButton
      class="primary"
      reason={mayDecide(role) ? null : 'Only an owner or admin creates keys. Ask one of them.'}
      onAct={onAct}
    >
      Create key
    </ActionButton>
  );
}

function Places({ overviews: { keys, limits, unreadable } }: { readonly overviews: KeyOverviews }) {
  const [live, test] = (['live', 'test'] as const).map(
    (mode) => `${keys.filter((key) => key.mode === mode).length} of ${limits.keysPerMode} ${mode}`,
  );
  return (
    <>
      <span>
        {keys.length === 0 && unreadable === undefined ? 'No active key' : `${keys.length} active`}: {live},{' '}
        {test}
      </span>
      <span>A revoked key is refused at once</span>
    </>
  );
}

interface Fault {
  readonly error: Error | null;
  readonly title: string;
  readonly onRetry: () => void;
}

function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  return (
    <>
      {faults.map(
        ({ error, title, onRetry }) =>
          error !== null && <Failed key={title} error={error} title={title} onRetry={onRetry} />,
      )}
    </>
  );
}

function showKey({ keyId, name, key: value }: CreatedKey): void {
  showOnce({
    id: keyId,
    title: `Key “${visibleText(name)}” created`,
    hint: value === null ? 'Revoke it, and create another.' : 'Shown once. Only its digest is kept here.',
    value,
    name: 'key',
    stored: 'I have stored it where my service reads it',
    revokeAt: `/keys?revoke=${keyId}`,
  });
}
