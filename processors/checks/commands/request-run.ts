import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { runGroup } from '../../../schemas/checks/blobs.ts';
import { type ChecksRoot, RUNS_ROW_ID, type RunDocument } from '../../../schemas/checks/documents.ts';
import { chargeRun, runQuota } from '../../../schemas/checks/quotas.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler, Effect } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import { missing } from '../alive.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { endOverdueRuns } from '../ending.ts';
import { isProved } from '../judging.ts';

/**
 * Charges a run, and sends it to the runner. Active runs whose deadline has passed end first. The oldest run goes if more are
 * kept than the limits allow, unless it is active.
 */
export const requestRun: CommandHandler<ChecksFold, 'request-run'> = {
  reads({ input: { suiteId } }, view) {
    const suite = view.peek('suite', suiteId);
    return [
      { kind: 'suite', id: suiteId },
      { kind: 'runs', id: RUNS_ROW_ID },
      ...(view.root?.activeRuns ?? []).map(({ runId }) => ({ kind: 'run', id: runId })),
      ...(suite == null ? [] : [{ kind: 'origin', id: suite.originId }]),
    ];
  },
  fold(scope) {
    const { row, input, context, limits } = scope;
    const { runId, suiteId, creator } = input;
    const { now, aggregate: installationId } = context;
    const alive = aliveWorkspace(scope, 'refused');
    if ('refused' in alive) return refused(alive.refused);
    const { plan } = alive.lifecycle;
    const suite = row('suite', suiteId);
    if (suite === null) return refused(missing('body.suiteId', 'suite'));
    const { originId } = suite;
    if (!isProved(row('origin', originId), now)) return refused(NOT_PROVED);
    const { root, put: overdue } = endOverdueRuns(scope);
    const exhausted = limitReached(root, plan, limits, now);
    if (exhausted !== null) return refused(exhausted);
    const run: RunDocument = {
      suiteId,
      originId,
      status: 'queued',
      verified: false,
      requestedAt: now,
      startedAt: null,
      endedAt: null,
      deadlineAt: now + limits.checks.queueMs,
      driver: null,
      findings: null,
      screenshot: null,
    };
    const all = [{ runId, suiteId }, ...(row('runs', RUNS_ROW_ID)?.runs ?? [])];
    const isActive = (id: string) => root.activeRuns.some((active) => active.runId === id);
    const isKept = (old: { readonly runId: string }, index: number) =>
      index < limits.checks.runsKept || isActive(old.runId);
    const dropped = all.filter((old, index) => !isKept(old, index));
    const item = {
      topic: 'check-runs',
      key: runId,
      type: 'drive-run',
      input: { installationId, runId, isPreview: plan === 'preview', creator },
    } as const;
    return {
      outcome: { kind: 'done', result: { runId, originId, requestedAt: now } },
      root: {
        ...chargeRun(root, plan, now),
        activeRuns: [...root.activeRuns, { runId, deadlineAt: run.deadlineAt }],
      },
      put: [
        ...overdue,
        { kind: 'run', id: runId, document: run },
        { kind: 'runs', id: RUNS_ROW_ID, document: { runs: all.filter(isKept) } },
      ],
      remove: dropped.map((old) => ({ kind: 'run', id: old.runId })),
      forget: dropped.map((old) => `run/${old.runId}`),
      effects: [
        { kind: 'command', ...item },
        ...dropped.map((old) => removeBytes(installationId, old.runId)),
      ],
      remember: { entity: `run/${runId}` },
    };
  },
};

/** The effect that removes the private bytes of a run. */
export function removeBytes(installationId: string, runId: string): Effect {
  return { kind: 'remove-blobs', group: runGroup(installationId, runId) };
}

const NOT_PROVED = refusal('state_conflict', {
  at: 'origin.state',
  seen: 'an origin without a current proof',
  expected: 'a verified origin; publish the challenge and confirm it',
});

function limitReached(root: ChecksRoot, plan: Plan, limits: Limits, now: number): Refusal | null {
  const full = quotaRefusal('plan.checkRuns', runQuota(root, plan, limits, now), now);
  if (full !== null) return full;
  const { checkRunsAtOnce } = limits.plans[plan];
  if (root.activeRuns.length < checkRunsAtOnce) return null;
  const nextEnd = Math.min(...root.activeRuns.map(({ deadlineAt }) => deadlineAt));
  return refusal(
    'limit_reached',
    {
      at: 'plan.checkRunsAtOnce',
      seen: `${root.activeRuns.length} on the way`,
      expected: `fewer than ${checkRunsAtOnce}; wait for the end of a run`,
    },
    Math.max(1, Math.min(RETRY_SECONDS, Math.ceil((nextEnd - now) / SECOND_MS))),
  );
}

/** Most runs end within it. */
const RETRY_SECONDS = 5;
