import type { Command } from '../../schemas/base/command.ts';
import { ACTIVE_KEYS_ROW } from '../../schemas/organizations/api-keys.ts';
import {
  SUBSCRIPTION_ROW,
  type SubscriptionDocument,
  unrevokedStatus,
} from '../../schemas/organizations/subscription.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { refused, refusedFor } from '../runtime/fold/results.ts';
import { activeKeys } from './api-keys.ts';
import { actingMember, actingOwnerOrAdmin, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

type Subscribing = 'subscribe' | 'cancel-subscription' | 'billing-event';
type DecidingScope = Pick<Scope<OrganizationsFold>, 'row' | 'context'>;

const personReads = ({ actor }: Pick<Command, 'actor'>): RowKey[] => [
  memberRow(actor.id),
  SUBSCRIPTION_ROW,
  ACTIVE_KEYS_ROW,
];

/** Subscribes to a plan, whatever was before. */
export const subscribe: CommandHandler<OrganizationsFold, 'subscribe'> = {
  reads: personReads,
  fold(scope) {
    const { input } = scope;
    const acting = actingOwnerOrAdmin(scope, 'subscribe');
    if ('refused' in acting) return refused(acting.refused);
    const { plan } = input;
    return decided(scope, { plan, status: 'active', ...byPerson(scope) });
  },
};

/** Cancels the subscription: live keys stop at once, until the next subscription. */
export const cancelSubscription: CommandHandler<OrganizationsFold, 'cancel-subscription'> = {
  admitsUnreadable: [],
  reads: personReads,
  fold(scope) {
    const acting = actingMember(scope);
    if ('refused' in acting) return refused(acting.refused);
    if (acting.role !== 'owner') {
      return refusedFor('forbidden', {
        at: 'caller.role',
        seen: `${acting.role}`,
        expected: 'owner to cancel the subscription',
      });
    }
    const held = currentSubscription(scope);
    if (held === null)
      return refusedFor('state_conflict', {
        at: 'organization.subscription',
        seen: 'none',
        expected: 'one to cancel',
      });
    return decided(scope, { plan: held.plan, status: 'canceled', ...byPerson(scope) });
  },
};

/**
 * Applies events of the billing provider in the order of their times, not of their arrival. Of two events with the
 * same time, the larger id counts, so that every order of arrival gives the same result. Against the decision of a person,
 * an event in the future counts from its arrival.
 */
export const takeBillingEvent: CommandHandler<OrganizationsFold, 'billing-event'> = {
  reads: () => [SUBSCRIPTION_ROW, ACTIVE_KEYS_ROW],
  fold(scope) {
    const { root, input, actor, context } = scope;
    if (actor.kind !== 'system' || root?.state !== 'active') {
      return refusedFor('not_found', {
        at: 'body.organizationId',
        seen: 'the id of no organization',
        expected: 'the id of an organization of this service',
      });
    }
    const { eventId, status } = input;
    // A time ahead of ours would outlast what a person decides until then.
    const event =
      input.at <= context.now ? { at: input.at, eventId } : { at: context.now, eventId, aheadAt: input.at };
    const held = currentSubscription(scope);
    if (held !== null && !isLater(event, held.decided)) return unchanged(held);
    return decided(scope, { plan: held?.plan ?? 'free', status, decided: event });
  },
};

type Decision = Omit<SubscriptionDocument, 'since'>;

/** A person decides now, and so after everything that has been decided, even by a provider whose clock is ahead. */
function byPerson(scope: DecidingScope): Pick<Decision, 'decided'> {
  const before = currentSubscription(scope)?.decided.at ?? 0;
  return { decided: { at: Math.max(scope.context.now, before), eventId: null } };
}

function isLater(event: SubscriptionDocument['decided'], before: SubscriptionDocument['decided']): boolean {
  const isOfProvider = event.eventId !== null && before.eventId !== null;
  const [at, atBefore] = isOfProvider ? [sentAt(event), sentAt(before)] : [event.at, before.at];
  if (at !== atBefore) return at > atBefore;
  return before.eventId !== null && event.eventId !== null && event.eventId > before.eventId;
}

/** The time of an event by the clock of the provider. */
function sentAt({ at, aheadAt = at }: SubscriptionDocument['decided']): number {
  return aheadAt;
}

function decided(scope: DecidingScope, decision: Decision): FoldResult<OrganizationsFold, Subscribing> {
  const held = currentSubscription(scope);
  const isSame = held?.status === decision.status && held.plan === decision.plan;
  const document: SubscriptionDocument = { ...decision, since: isSame ? held.since : decision.decided.at };
  return {
    ...unchanged(document),
    put: [{ ...SUBSCRIPTION_ROW, document }],
    effects: isSame ? [] : statusEffects(scope, document),
    audit: isSame ? false : { status: document.status },
  };
}

function unchanged({
  plan,
  status,
  since,
}: SubscriptionDocument): FoldResult<OrganizationsFold, Subscribing> {
  return { outcome: { kind: 'done', result: { plan, status, since } }, audit: false };
}

/**
 * Returns the effects that send the subscription's key status to every live key. The limiter has it before the change
 * is answered.
 */
function statusEffects(scope: DecidingScope, subscription: SubscriptionDocument): Effect[] {
  const live = activeKeys(scope).filter(({ mode }) => mode === 'live');
  return live.map(({ keyId, mode, expiresAt }) => ({
    kind: 'limiter-status',
    key: { account: scope.context.aggregate, keyId },
    status: unrevokedStatus(mode, subscription),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));
}

function currentSubscription({ row }: DecidingScope): SubscriptionDocument | null {
  return row(SUBSCRIPTION_ROW.kind, SUBSCRIPTION_ROW.id);
}
