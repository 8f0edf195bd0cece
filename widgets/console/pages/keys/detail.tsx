import { personName } from '../../api/person-name.ts';
import '../../style/keys.css';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useHost } from '../../api/hosts.ts';
import { membersQuery } from '../../api/members.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { isUnanswered } from '../../api/unanswered.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { forgetShown } from '../../parts/form/shown-once.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { PageSkeleton, PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { CopyButton, Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Badge } from '../../parts/table/state.tsx';
import { AbsoluteTime, useNow } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { CallsChart, type Unit } from './calls-chart.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Failed } from './failed.tsx';
import { hasEnded, keyState } from './key-state.ts';
import { checkCommand } from './no-keys.tsx';
import {
  type ApiKey,
  allKeysQuery,
  type KeyOverviews,
  overviewsQuery,
  subscriptionQuery,
  usageQuery,
} from './queries.ts';
import { useRevocation } from './revoke-row.tsx';
import { RotateDialog, rotationName } from './rotate-dialog.tsx';
import { KeyWindows } from './window-section.tsx';

/** The acts of this page in the address. */
const EDIT = 'edit';
const ROTATE = 'rotate';
const REVOKE = 'revoke';

const CRUMBS = [{ label: 'Keys', to: '/keys' }];

/** `/keys/{keyId}?unit=day`: one key with its calls over time. */
export function KeyPage({ params: { keyId = '' } }: { readonly params: Record<string, string> }) {
  const active = useQuery(overviewsQuery);
  const all = useInfiniteQuery(allKeysQuery);
  const key = all.data?.pages.flatMap(({ keys }) => keys).find((each) => each.keyId === keyId);
  const isSearching = key === undefined && all.hasNextPage;
  useEffect(() => {
    if (isSearching && !all.isFetching && all.error === null) void all.fetchNextPage();
  });
  if (key !== undefined && !active.isPending) return <Key apiKey={key} overviews={active.data} />;
  if (all.error !== null) {
    return (
      <>
        <PageHead title="Key" crumbs={CRUMBS} />
        <Failed error={all.error} title="The key could not be read" onRetry={() => void all.refetch()} />
      </>
    );
  }
  if (all.isPending || isSearching || active.isPending) return <PageSkeleton />;
  return (
    <>
      <PageHead title="There is no such key" crumbs={CRUMBS} />
      <p class="lede">The address is wrong, or the key belongs to another organization.</p>
    </>
  );
}

interface KeyProps {
  readonly apiKey: ApiKey;
  /** Absent where it could not be read. */
  readonly overviews: KeyOverviews | undefined;
}

function Key({ apiKey, overviews }: KeyProps) {
  const { keyId, name, mode, replacedBy } = apiKey;
  const { role } = useMembership();
  const [act, ask] = useAsked('do');
  // What is below the calls appears after them, so that nothing moves.
  const [isRead, setRead] = useState(false);
  const state = useKeyState(apiKey, overviews);
  const isEditable = mayDecide(role) && !hasEnded(apiKey, useNow());
  const isRotatable = isEditable && replacedBy === null;
  // The rotation that was sent may have replaced or ended the key.
  const isRotated = isUnanswered(useQueryClient(), rotationName(keyId)) && mayDecide(role);
  const close = () => ask(null);
  return (
    <>
      <PageHead
        title={name}
        crumbs={CRUMBS}
        state={
          <>
            {state !== null && <Badge tone={state.tone}>{state.word}</Badge>}
            <span class="tag">{mode}</span>
          </>
        }
        actions={
          isEditable ? (
            <>
              <button type="button" class="btn" onClick={() => ask(EDIT)}>
                Edit…
              </button>
              {isRotatable && (
                <button type="button" class="btn" onClick={() => ask(ROTATE)}>
                  Rotate…
                </button>
              )}
              <button type="button" class="btn" onClick={() => ask(REVOKE)}>
                Revoke…
              </button>
            </>
          ) : undefined
        }
        meta={<span>{state?.cure ?? 'Calls are published every few seconds'}</span>}
      />
      <div class="overview">
        <aside aria-label="Facts of the key">
          <KeyFacts apiKey={apiKey} overviews={overviews} />
        </aside>
        <div class="stack">
          <Calls keyId={keyId} onRead={() => setRead(true)} />
          {isRead && <KeyWindows apiKey={apiKey}>{isEditable && <TrySection />}</KeyWindows>}
        </div>
      </div>
      {act === EDIT && isEditable && <EditDialog apiKey={apiKey} onClose={close} />}
      {act === ROTATE && (isRotatable || isRotated) && <RotateDialog apiKey={apiKey} onClose={close} />}
      {act === REVOKE && isEditable && <RevokeDialog apiKey={apiKey} onClose={close} />}
    </>
  );
}

function useKeyState(apiKey: ApiKey, overviews: KeyOverviews | undefined) {
  const subscription = useQuery(subscriptionQuery);
  const now = useNow();
  if (hasEnded(apiKey, now)) {
    const word = apiKey.revokedAt === null ? 'Expired' : 'Revoked';
    return { word, tone: 'idle', cure: 'Calls with it get 401.' } as const;
  }
  const overview = overviews?.keys.find(({ keyId }) => keyId === apiKey.keyId);
  if (overviews === undefined || overview === undefined) return null;
  return keyState(overview, {
    now,
    subscription: subscription.data?.status ?? null,
    testPerMonth: overviews.limits.testPerMonth,
  });
}

function KeyFacts({ apiKey, overviews }: KeyProps) {
  const {
    keyId,
    name,
    prefix,
    last4,
    mode,
    createdAt,
    createdBy,
    lastUsedAt,
    revokedAt,
    expiresAt,
    replacedBy,
  } = apiKey;
  const { data: people } = useQuery(membersQuery);
  const creator = people?.members.find(({ userId }) => userId === createdBy);
  const maker = creator === undefined ? 'a former member' : personName(creator);
  const month = overviews?.keys.find((each) => each.keyId === keyId)?.month;
  const masked = `${prefix}…${last4}`;
  return (
    <Facts>
      <Fact name="Key">
        <span class="id">
          <code>{masked}</code>
          <CopyButton value={masked} label={`Copy prefix and last four of ${visibleText(name)}`} />
        </span>
      </Fact>
      <Fact name="Id">
        <Identifier value={keyId} name="key id" />
      </Fact>
      <Fact name="Created">
        <AbsoluteTime at={createdAt} />
      </Fact>
      <Fact name="Last used">{lastUsedAt === null ? 'never' : <AbsoluteTime at={lastUsedAt} />}</Fact>
      {month !== undefined && overviews !== undefined && (
        <>
          <Fact name="Calls this month">
            {mode === 'test'
              ? `${count(month.used)} of ${count(overviews.limits.testPerMonth)}, then 429`
              : `${count(month.used)}, never refused`}
          </Fact>
          <Fact name="Calls in a minute">
            {`at most ${count(overviews.limits[`${mode}PerMinute`])}, then 429`}
          </Fact>
        </>
      )}
      {revokedAt !== null && (
        <Fact name="Revoked">
          <AbsoluteTime at={revokedAt} />
        </Fact>
      )}
      {revokedAt === null && expiresAt !== null && (
        <Fact name="Expires">
          <AbsoluteTime at={expiresAt} />
        </Fact>
      )}
      {replacedBy !== null && (
        <Fact name="Replaced by">
          <PageLink to={`/keys/${replacedBy}`}>the new key</PageLink>
        </Fact>
      )}
      {/* The last one, because it comes later. */}
      {people !== undefined && <Fact name="Created by">{visibleText(maker)}</Fact>}
    </Facts>
  );
}

const UNITS: readonly (readonly [Unit, string])[] = [
  ['hour', '24 hours'],
  ['day', '30 days'],
];

/** A call with this key, to be run where the key is. */
function TrySection() {
  return (
    <section aria-labelledby="try">
      <div class="section-head">
        <h2 id="try">Try it</h2>
        <p>The key is read from $KEY; it is not kept here</p>
      </div>
      <Command command={checkCommand(useHost('limiter'))} />
    </section>
  );
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Asks before the key ends. Its page stays, with its usage. */
function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const revoke = useRevocation(apiKey, () => {
    forgetShown(apiKey.keyId);
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      hint="Calls with it get 401 at once, on every gateway. Its usage stays. This cannot be undone."
      verb="Revoke key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}

interface CallsProps {
  readonly keyId: string;
  readonly onRead: () => void;
}

function Calls({ keyId, onRead }: CallsProps) {
  const [params] = useSearchParams();
  const unit: Unit = params.get('unit') === 'day' ? 'day' : 'hour';
  const usage = useQuery(usageQuery(keyId, unit));
  useEffect(() => {
    if (!usage.isPending) onRead();
  });
  return (
    <section aria-labelledby="calls">
      <div class="section-head">
        <h2 id="calls">Calls</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: these are links to views, no fields of a form. */}
        <div class="segments push" role="group" aria-label="Span">
          {UNITS.map(([each, label]) => (
            <PageLink key={each} to={`/keys/${keyId}?unit=${each}`} isCurrent={each === unit}>
              {label}
            </PageLink>
          ))}
        </div>
      </div>
      <Failed error={usage.error} title="The calls could not be read" onRetry={() => void usage.refetch()} />
      {usage.data === undefined ? (
        usage.error === null && <PanelSkeleton />
      ) : (
        <div class="panel panel-body">
          <CallsChart unit={unit} points={usage.data.points} />
        </div>
      )}
    </section>
  );
}
