import type { Command } from '../../schemas/base/command.ts';
import { refusal } from '../../schemas/base/errors.ts';
import {
  SUBSCRIPTION_ROW,
  type SubscriptionDocument,
  unrevokedStatus,
} from '../../schemas/organizations/subscription.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { activeKeys } from './api-keys.ts';
import { actingMember, actingOwnerOrAdmin } from './members.ts';
import type { OrganizationInput, OrganizationResult, OrganizationView, UserCommand } from './result.ts';

/** Subscribes to a plan, whatever was before. */
export function subscribe(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'subscribe'> },
  context: FoldContext,
): OrganizationResult {
  const acting = actingOwnerOrAdmin(view, command, 'subscribe');
  if ('refused' in acting) return refused(acting.refused);
  const { plan } = command.input;
  return decided(view, context, { plan, status: 'active', ...byPerson(view, context) });
}

/** Cancels the subscription: live keys stop at once, until somebody subscribes again. */
export function cancelSubscription(
  view: OrganizationView,
  command: UserCommand,
  context: FoldContext,
): OrganizationResult {
  const acting = actingMember(view, command);
  if ('refused' in acting) return refused(acting.refused);
  if (acting.role !== 'owner') {
    return refused(
      refusal('forbidden', {
        at: 'caller.role',
        seen: `${acting.role}`,
        expected: 'owner to cancel the subscription',
      }),
    );
  }
  const held = currentSubscription(view);
  if (held === null)
    return refused(
      refusal('state_conflict', { at: 'organization.subscription', seen: 'none', expected: 'one to cancel' }),
    );
  return decided(view, context, { plan: held.plan, status: 'canceled', ...byPerson(view, context) });
}

/**
 * Takes in what the billing provider says, in the order of its times and not of its deliveries. Of two events of one time
 * the one with the larger id counts, so that every order of deliveries ends the same. An event that is ahead of our time
 * counts from when it came.
 */
export function takeBillingEvent(
  view: OrganizationView,
  { actor, input }: Pick<Command, 'actor'> & { readonly input: OrganizationInput<'billing-event'> },
  context: FoldContext,
): OrganizationResult {
  if (actor.kind !== 'system' || view.root?.state !== 'active') {
    return refused(
      refusal('not_found', {
        at: 'body.organizationId',
        seen: 'the id of no organization',
        expected: 'the id of an organization of this service',
      }),
    );
  }
  const { eventId, status } = input;
  // A time ahead of ours would outlast what really happens until then.
  const at = Math.min(input.at, context.now);
  const held = currentSubscription(view);
  if (held !== null && !isLater({ at, eventId }, held.decided)) return unchanged(held);
  return decided(view, context, { plan: held?.plan ?? 'free', status, decided: { at, eventId } });
}

type Decision = Omit<SubscriptionDocument, 'since'>;

/** A person decides now, and so after everything that has been decided, even by a provider whose clock is ahead. */
function byPerson(view: OrganizationView, { now }: FoldContext): Pick<Decision, 'decided'> {
  const before = currentSubscription(view)?.decided.at ?? 0;
  return { decided: { at: Math.max(now, before), eventId: null } };
}

function isLater(event: SubscriptionDocument['decided'], before: SubscriptionDocument['decided']): boolean {
  if (event.at !== before.at) return event.at > before.at;
  return before.eventId !== null && event.eventId !== null && event.eventId > before.eventId;
}

function decided(view: OrganizationView, context: FoldContext, decision: Decision): OrganizationResult {
  const held = currentSubscription(view);
  const isSame = held?.status === decision.status && held.plan === decision.plan;
  const document: SubscriptionDocument = { ...decision, since: isSame ? held.since : decision.decided.at };
  return {
    ...unchanged(document),
    put: [{ ...SUBSCRIPTION_ROW, document }],
    effects: isSame ? [] : statusEffects(view, context, document),
    audit: isSame ? false : { status: document.status },
  };
}

function unchanged({ plan, status, since }: SubscriptionDocument): OrganizationResult {
  return { outcome: { kind: 'done', result: { plan, status, since } }, audit: false };
}

/** What every live key is from now on. The limiter knows it before the change is answered. */
function statusEffects(
  view: OrganizationView,
  { aggregate }: FoldContext,
  subscription: SubscriptionDocument,
): Effect[] {
  const live = activeKeys(view).filter(({ mode }) => mode === 'live');
  return live.map(({ keyId, mode }) => ({
    kind: 'limiter-status',
    key: { account: aggregate, keyId },
    status: unrevokedStatus(mode, subscription),
  }));
}

function currentSubscription(view: OrganizationView): SubscriptionDocument | null {
  return view.row(SUBSCRIPTION_ROW.kind, SUBSCRIPTION_ROW.id);
}
