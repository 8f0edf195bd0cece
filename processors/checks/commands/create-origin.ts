import type { ChecksRoot, OriginDocument } from '../../../schemas/checks/documents.ts';
import { originQuota } from '../../../schemas/checks/quotas.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import type { ChecksFold } from '../checks-fold.ts';

/**
 * Creates an origin with a challenge, within the lifetime quota of the plan. An origin that the workspace has stays the same
 * one and is not charged; it gets a new challenge if the last one has ended.
 */
export const createOrigin: CommandHandler<ChecksFold, 'create-origin'> = {
  reads: ({ input: { origin } }, view) => {
    const known = knownOrigin(view.root, origin);
    return known === undefined ? [] : [{ kind: 'origin', id: known.originId }];
  },
  fold(scope) {
    const { root, row, input, context, limits } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { origin, token } = input;
    const { now } = context;
    const challenge = { origin, token, verifiedAt: null, endsAt: now + limits.checks.challengeMs };
    const known = knownOrigin(root, origin);
    if (known !== undefined) {
      const stored = row('origin', known.originId);
      if (stored === null) throw new Error('reading an origin of the list that there is not');
      return now < stored.endsAt
        ? { outcome: done(known.originId, stored) }
        : made(known.originId, { ...challenge, createdAt: stored.createdAt });
    }
    const full = quotaRefusal(
      'plan.checkOrigins',
      originQuota(root, alive.lifecycle.plan, limits),
      context.now,
    );
    if (full !== null) return refused(full);
    const { originId } = input;
    return {
      ...made(originId, { ...challenge, createdAt: now }),
      remember: { entity: `origin/${originId}` },
      root: {
        ...root,
        originsMade: root.originsMade + 1,
        origins: [...root.origins, { originId, origin }],
      },
    };
  },
};

function knownOrigin(root: ChecksRoot | null, origin: string) {
  return root?.origins.find((known) => known.origin === origin);
}

function made(originId: string, document: OriginDocument) {
  return { outcome: done(originId, document), put: [{ kind: 'origin', id: originId, document }] } as const;
}

function done(originId: string, document: OriginDocument) {
  return { kind: 'done', result: { originId, ...document } } as const;
}
