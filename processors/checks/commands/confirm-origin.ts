import type { z } from 'zod';
import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { proofReadingSchema } from '../../../schemas/checks/commands.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { missing } from '../alive.ts';
import type { ChecksFold } from '../checks-fold.ts';

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
  seen: 'a challenge that has ended',
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
      ? FAILURES[reading.reason]
      : `status ${reading.status} with ${reading.contentType ?? 'no type'} and ${
          reading.length === null ? 'more than 1024 bytes' : `${reading.length} bytes`
        }`;
  return refusal('state_conflict', {
    at: 'origin.challenge',
    seen,
    expected: 'status 200 with text/plain and exactly the content of the challenge, without a redirect',
  });
}
