import type { z } from 'zod';
import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { proofReadingSchema } from '../../../schemas/checks/commands.ts';
import type { ChecksRoot, OriginDocument } from '../../../schemas/checks/documents.ts';
import { checksProduct } from '../../../schemas/checks/product.ts';
import { TLS_CAUSES } from '../../../schemas/checks/tls-causes.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { missing } from '../preconditions.ts';

/**
 * Creates an origin with a challenge, within the lifetime quota of the plan. An origin that the workspace has stays the same
 * one and is not charged; it gets a new challenge if the last one has ended. A full preview without a result replaces its
 * latest origin, which is not charged either.
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
    const { plan } = alive.lifecycle;
    const full = checksProduct.quotaRefusal('checkOrigins', scope, plan);
    const former = full === null ? null : replaceableOrigin(scope, plan);
    if (full !== null && former === null) return refused(full);
    const { originId } = input;
    const created = {
      ...made(originId, { ...challenge, createdAt: now }, former?.origin),
      remember: { entity: `origin/${originId}` },
    };
    const named = { originId, origin };
    if (former === null) {
      const origins = [...root.origins, named];
      return { ...created, root: { ...checksProduct.charge('checkOrigins', root, plan, now), origins } };
    }
    return {
      ...created,
      root: { ...root, origins: [...root.origins.slice(0, -1), named] },
      remove: [{ kind: 'origin', id: former.originId }],
      forget: [`origin/${former.originId}`],
    };
  },
};

/** The latest origin of a full preview, as long as no run was verified and none is active: another one may replace it. */
function replaceableOrigin(
  { root, context: { now } }: Pick<Scope<ChecksFold>, 'root' | 'context'>,
  plan: Plan,
) {
  if (plan !== 'preview' || root.lastVerified !== null) return null;
  if (root.activeRuns.some(({ deadlineAt }) => now < deadlineAt)) return null;
  return root.origins.at(-1) ?? null;
}

function knownOrigin(root: ChecksRoot | null, origin: string) {
  return root?.origins.find((known) => known.origin === origin);
}

function made(originId: string, document: OriginDocument, replacedOrigin?: string) {
  return {
    outcome: done(originId, document, replacedOrigin),
    put: [{ kind: 'origin', id: originId, document }],
  } as const;
}

function done(originId: string, document: OriginDocument, replacedOrigin?: string) {
  const result = { originId, ...document, ...(replacedOrigin !== undefined && { replacedOrigin }) };
  return { kind: 'done', result } as const;
}

type ProofReading = z.infer<typeof proofReadingSchema>;

/** Confirms an origin by the file that the gateway has found there. A confirmed origin is confirmed again like a new one. */
export const confirmOrigin: CommandHandler<ChecksFold, 'confirm-origin'> = {
  reads: ({ input: { originId } }) => [{ kind: 'origin', id: originId }],
  fold(scope) {
    const { row, input, context, limits } = scope;
    const { originId, token, reading } = input;
    const { now } = context;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const stored = row('origin', originId);
    if (stored === null) return refused(missing('path.originId', 'origin'));
    if (now >= stored.endsAt || token !== stored.token) return refused(CHALLENGE_ENDED);
    if (reading.kind !== 'matches') return refused(notProved(reading));
    const document = { ...stored, verifiedAt: now, endsAt: now + limits.checks.proofMs };
    return {
      outcome: { kind: 'done', result: { originId, ...document } },
      put: [{ kind: 'origin', id: originId, document }],
    };
  },
};

const CHALLENGE_ENDED = refusal('state_conflict', {
  at: 'origin.challenge',
  seen: 'a challenge that has expired',
  expected: 'a current one; create the same origin again with a new idempotencyKey',
});

const FAILURES: Readonly<Record<Extract<ProofReading, { kind: 'failed' }>['reason'], string>> = {
  blocked: 'a host without a public address',
  dns: 'a host without a public address',
  connect: 'no answer to a connection',
  tls: 'no valid certificate',
  timeout: 'no answer in time',
};

/** Says what was found in place of the proof: status, type and length, and nothing of its content. */
function notProved(reading: Exclude<ProofReading, { readonly kind: 'matches' }>): Refusal {
  const seen =
    reading.kind === 'failed'
      ? reading.cause === undefined
        ? FAILURES[reading.reason]
        : TLS_CAUSES[reading.cause]
      : `status ${reading.status} with ${reading.contentType ?? 'no type'} and ${
          reading.length === null ? 'more than 1024 bytes' : `${reading.length} bytes`
        }`;
  return refusal('state_conflict', {
    at: 'origin.challenge',
    seen,
    expected: 'status 200 with text/plain and exactly the content of the challenge, without a redirect',
  });
}
