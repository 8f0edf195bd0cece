import '../../style/keys.css';
import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { CreateDialog, type CreatedKey } from './create-dialog.tsx';
import { Failed } from './failed.tsx';
import { KeyTable } from './key-table.tsx';
import { NoKeys } from './no-keys.tsx';
import { PasteBox } from './paste-box.tsx';
import { type KeyOverviews, overviewsQuery, type Subscription, subscriptionQuery } from './queries.ts';
import { RevokedKeys, useAllKeys } from './revoked-keys.tsx';
import { SubscriptionSection } from './subscription-section.tsx';
import { UsagePanel, UsageSkeleton } from './usage-panel.tsx';

/** `/keys`: the API keys of the organization, their use, the month and the subscription. */
export function KeysPage() {
  const list = useQuery(overviewsQuery);
  const billing = useQuery(subscriptionQuery);
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [revokingId, setRevoking] = useState<string | null>(null);
  const { data: overviews } = list;
  const { data: subscription } = billing;
  const status = subscription?.status ?? null;
  const isEmpty = overviews?.keys.length === 0;
  const isFailed = overviews === undefined && list.error !== null;
  const isLoading = list.isPending || (billing.isPending && !isEmpty);
  const create = <CreateButton onAct={() => setCreating(true)} />;
  const onRevoked = (keyId: string) => {
    setRevoking(null);
    if (made?.keyId === keyId) setMade(null);
    document.getElementById('keys')?.focus();
  };
  return (
    <>
      <PageHead
        title="Keys"
        actions={isEmpty ? undefined : create}
        meta={overviews === undefined ? null : <Places overviews={overviews} />}
      />
      <div class="stack">
        {made !== null && (
          <MadeKey made={made} onClose={() => setMade(null)} onRevoke={() => setRevoking(made.keyId)} />
        )}
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
        {isEmpty && <NoKeys action={create} />}
        {overviews !== undefined && subscription !== undefined && !isEmpty && (
          <UsagePanel overviews={overviews} subscription={subscription} />
        )}
        {isLoading && <UsageSkeleton />}
        {!isEmpty && !isFailed && (
          <KeyTable
            overviews={overviews}
            subscription={status}
            madeId={made?.keyId ?? null}
            revokingId={revokingId}
            onRevoking={setRevoking}
            onRevoked={onRevoked}
          />
        )}
        <BelowKeys
          isRead={!list.isPending && !billing.isPending}
          subscription={subscription}
          keys={overviews?.keys ?? []}
        />
      </div>
      {isCreating && (
        <CreateDialog
          subscription={status}
          onClose={() => setCreating(false)}
          onMade={(key) => {
            setCreating(false);
            setMade(key);
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
  readonly keys: KeyOverviews['keys'];
}

/** The sections below the keys. They appear together, so that none moves another. */
function BelowKeys({ isRead, subscription, keys }: BelowKeysProps) {
  const revoked = useAllKeys();
  if (!isRead || revoked.isPending) return null;
  return (
    <>
      <RevokedKeys list={revoked} />
      {subscription !== undefined && <SubscriptionSection subscription={subscription} />}
      <PasteBox keys={keys} />
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

function Places({ overviews: { keys, limits } }: { readonly overviews: KeyOverviews }) {
  const [live, test] = (['live', 'test'] as const).map(
    (mode) => `${keys.filter((key) => key.mode === mode).length} of ${limits.keysPerMode} ${mode}`,
  );
  return (
    <>
      <span>
        {keys.length} active: {live}, {test}
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

interface MadeKeyProps {
  readonly made: CreatedKey;
  readonly onClose: () => void;
  readonly onRevoke: () => void;
}

/** The new key, shown once. Of a request that was answered before, the secret is gone. */
function MadeKey({ made, onClose, onRevoke }: MadeKeyProps) {
  const revoke = (
    <button type="button" class="btn quiet" onClick={onRevoke}>
      Revoke it
    </button>
  );
  if (made.key === null) {
    return (
      <div class="notice warn" role="alert">
        <span />
        <div>
          <strong>Key “{visibleText(made.name)}” was created before</strong>
          Its secret was in an answer that did not arrive here, and is kept nowhere. Revoke it and create
          another.
          <p class="row">
            {revoke}
            <button type="button" class="btn quiet" onClick={onClose}>
              Close
            </button>
          </p>
        </div>
      </div>
    );
  }
  return (
    <ShownOnce
      title={`Key “${visibleText(made.name)}” created`}
      hint="Shown once. Only its digest is kept here."
      value={made.key}
      name="key"
      stored="I have stored it where my service reads it"
      actions={revoke}
      onClose={onClose}
    />
  );
}
