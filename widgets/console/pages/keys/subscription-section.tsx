import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { EffectList } from '../../parts/form/danger.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { State } from '../../parts/table/state.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { Failed } from './failed.tsx';
import { type Subscription, subscriptionQuery } from './queries.ts';
import { PLANS, SUBSCRIPTION_STATES } from './subscription-state.ts';

type Change = 'start' | 'cancel';

const ACTS = {
  start: { thing: 'the subscription', done: 'started' },
  cancel: { thing: 'the subscription', done: 'cancelled' },
} as const;

function useSubscriptionChange(change: Change, onDone: () => void = () => undefined) {
  const queries = useQueryClient();
  return useChange({
    send: () =>
      change === 'start'
        ? answer(api.POST('/v1/subscription', { body: { plan: 'free' } }))
        : answer(api.DELETE('/v1/subscription')),
    afterLoss: 'repeat',
    onSuccess: (subscription) => {
      queries.setQueryData(subscriptionQuery.queryKey, subscription);
      toast(change === 'start' ? 'Subscription started' : 'Subscription cancelled');
      onDone();
    },
    onError: () => queries.invalidateQueries({ queryKey: subscriptionQuery.queryKey }),
  });
}

/** The subscription: its state, plan and time, and the button that starts or cancels it. */
export function SubscriptionSection({ subscription }: { readonly subscription: Subscription }) {
  const { word, tone, about } = SUBSCRIPTION_STATES[subscription.status];
  return (
    <section aria-labelledby="subscription">
      <div class="section-head">
        <h2 id="subscription">Subscription</h2>
        <p>{about}</p>
      </div>
      <div class="panel subscription">
        <State tone={tone}>{word}</State>
        {subscription.plan !== null && <span>{PLANS[subscription.plan]}</span>}
        {subscription.since !== null && (
          <span class="muted">
            since <AbsoluteTime at={subscription.since} />
          </span>
        )}
        {subscription.status === 'active' ? <Cancel /> : <Start />}
      </div>
    </section>
  );
}

function Start() {
  const { role } = useMembership();
  const start = useSubscriptionChange('start');
  return (
    <>
      <span class="muted">No card required. Live keys work as soon as it is active.</span>
      <Failed error={start.error} act={ACTS.start} onRetry={() => start.mutate()} />
      <ActionButton
        reason={mayDecide(role) ? null : 'Only an owner or admin starts it. Ask one of them.'}
        isPending={start.isPending}
        onAct={() => start.mutate()}
      >
        Start subscription
      </ActionButton>
    </>
  );
}

function Cancel() {
  const { role } = useMembership();
  const [isOpen, setOpen] = useState(false);
  const cancel = useSubscriptionChange('cancel', () => setOpen(false));
  if (!isOpen) {
    return (
      <ActionButton
        class="danger"
        reason={role === 'owner' ? null : 'Only an owner cancels it. Ask one of them.'}
        onAct={() => setOpen(true)}
      >
        Cancel subscription…
      </ActionButton>
    );
  }
  return (
    <div class="form">
      <Failed error={cancel.error} act={ACTS.cancel} onRetry={() => cancel.mutate()} />
      <EffectList
        effects={{
          stops: 'Every call with a live key: it gets 402.',
          stays: 'All keys, their usage and the calls of test keys. Starting it again lets live keys work.',
          cannotBeUndone: 'Calls refused with 402 until then stay refused.',
        }}
      />
      <div class="row">
        <button
          type="button"
          class="btn danger-primary"
          aria-disabled={cancel.isPending}
          onClick={() => {
            if (!cancel.isPending) cancel.mutate();
          }}
        >
          {cancel.isPending ? 'Cancelling subscription' : 'Cancel subscription'}
        </button>
        <button type="button" class="btn quiet" onClick={() => setOpen(false)}>
          Keep it
        </button>
      </div>
    </div>
  );
}
