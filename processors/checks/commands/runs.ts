import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { runGroup, screenshotBlob } from '../../../schemas/checks/blobs.ts';
import { isOpen, isOverdue, lostRun } from '../../../schemas/checks/derived-states.ts';
import { type ChecksRoot, RUNS_ROW_ID, type RunDocument } from '../../../schemas/checks/documents.ts';
import { checksProduct } from '../../../schemas/checks/product.ts';
import { nothingFound, statusOf } from '../../../schemas/checks/results.ts';
import { runOverheadMs } from '../../../schemas/checks/run-time.ts';
import type { Plan } from '../../../schemas/workspaces/lifecycle.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, Effect, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/fold/results.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { endOverdueRuns, endRun } from '../ending.ts';
import { isProved, judgeFindings, PROOF_ENDED } from '../judging.ts';
import { missing } from '../preconditions.ts';

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
    const origin = row('origin', originId);
    if (origin === null) return refused(REPLACED);
    if (!isProved(origin, now)) return refused(NOT_PROVED);
    const { root, put: overdue } = endOverdueRuns(scope);
    const exhausted = limitReached({ root, limits, context }, plan);
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
      topic: plan === 'preview' ? 'check-preview-runs' : 'check-runs',
      key: runId,
      type: 'drive-run',
      input: { installationId, runId, isPreview: plan === 'preview', creator },
    } as const;
    return {
      outcome: { kind: 'done', result: { runId, originId, requestedAt: now } },
      root: {
        ...checksProduct.charge('checkRuns', root, plan, now),
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

const REPLACED = refusal('state_conflict', {
  at: 'body.suiteId',
  seen: 'the suite of an origin that another one has replaced',
  expected: 'a suite of an origin of this workspace',
});

const NOT_PROVED = refusal('state_conflict', {
  at: 'origin.state',
  seen: 'an origin without a current proof',
  expected: 'a verified origin; publish the challenge and confirm it',
});

function limitReached(
  scope: Pick<Scope<ChecksFold>, 'root' | 'limits' | 'context'>,
  plan: Plan,
): Refusal | null {
  const full = checksProduct.quotaRefusal('checkRuns', scope, plan);
  if (full !== null) return full;
  const { root, limits, context } = scope;
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
    Math.max(1, Math.min(RETRY_SECONDS, Math.ceil((nextEnd - context.now) / SECOND_MS))),
  );
}

/** Most runs end within it. */
const RETRY_SECONDS = 5;

/**
 * A runner takes a run that no other one has taken. Nothing is driven twice: the run of a runner that ends in the middle ends
 * when it is abandoned, or else at its deadline. The runner that has the run may send this again.
 */
export const beginRun: CommandHandler<ChecksFold, 'begin-run'> = {
  reads: ({ input: { runId } }, view) => {
    const run = view.peek('run', runId);
    return [
      { kind: 'run', id: runId },
      ...(run == null
        ? []
        : [
            { kind: 'suite', id: run.suiteId },
            { kind: 'origin', id: run.originId },
          ]),
    ];
  },
  fold(scope) {
    const { root, row, input, context, limits } = scope;
    const { runId, driver } = input;
    const { now } = context;
    const run = openRun(scope);
    if (run === null) return DONE_UNREMEMBERED;
    if (isOverdue(run, now)) return ended(root, runId, lostRun(run, now));
    if (run.driver !== null) return DONE_UNREMEMBERED;
    const taken = { ...run, driver, startedAt: now };
    if (!isProved(row('origin', run.originId), now)) {
      const findings = nothingFound(PROOF_ENDED);
      return ended(root, runId, { ...taken, status: statusOf(findings), endedAt: now, findings });
    }
    const flows = row('suite', run.suiteId)?.configuration.flows ?? [];
    const drivenMs = flows.reduce((sum, { timeoutMs }) => sum + timeoutMs, runOverheadMs(flows.length));
    const deadlineAt = now + drivenMs + limits.checks.graceMs;
    return {
      ...DONE_UNREMEMBERED,
      root: {
        ...root,
        activeRuns: root.activeRuns.map((active) =>
          active.runId === runId ? { runId, deadlineAt } : active,
        ),
      },
      put: [{ kind: 'run', id: runId, document: { ...taken, status: 'running', deadlineAt } }],
    };
  },
};

/** The end of a run. The result of a runner that does not have the run any more is dropped, with its screenshot. */
export const finishRun: CommandHandler<ChecksFold, 'finish-run'> = {
  reads: ({ input: { runId } }, view) => {
    const run = view.peek('run', runId);
    return [{ kind: 'run', id: runId }, ...(run == null ? [] : [{ kind: 'origin', id: run.originId }])];
  },
  fold(scope) {
    const { root, row, input, context } = scope;
    const { runId, driver, screenshot } = input;
    const { now } = context;
    const run = openRun(scope);
    if (run === null) return { ...DONE_UNREMEMBERED, effects: dropScreenshot(scope) };
    if (isOverdue(run, now)) {
      return { ...ended(root, runId, lostRun(run, now)), effects: dropScreenshot(scope) };
    }
    if (run.driver !== null && run.driver !== driver) {
      return { ...DONE_UNREMEMBERED, effects: dropScreenshot(scope) };
    }
    const findings = judgeFindings(input.findings, row('origin', run.originId), now);
    const status = statusOf(findings);
    const verified = status === 'passed';
    const document = { ...run, driver, status, verified, endedAt: now, findings, screenshot };
    const lastVerified = verified ? { runId, at: now } : root.lastVerified;
    return ended({ ...root, lastVerified }, runId, document);
  },
};

/** The driver of a run has ended, or its item ended in the dead-letter queue. */
export const abandonRun: CommandHandler<ChecksFold, 'abandon-run'> = {
  reads: ({ input: { runId } }) => [{ kind: 'run', id: runId }],
  fold(scope) {
    const run = openRun(scope);
    if (run === null) return DONE_UNREMEMBERED;
    return ended(scope.root, scope.input.runId, lostRun(run, scope.context.now));
  },
};

/** Ends a run whose deadline has passed by the time of the log, whatever the clock of the reader says that asks for it. */
export const endOverdueRun: CommandHandler<ChecksFold, 'end-run'> = {
  reads: ({ input: { runId } }) => [{ kind: 'run', id: runId }],
  fold(scope) {
    const { root, input, context } = scope;
    const run = openRun(scope);
    if (run === null || !isOverdue(run, context.now)) return DONE_UNREMEMBERED;
    return ended(root, input.runId, lostRun(run, context.now));
  },
};

/** The run of a command if it has no end yet. */
function openRun({
  row,
  input,
}: Pick<Scope<ChecksFold>, 'row'> & { readonly input: { readonly runId: string } }) {
  const stored = row('run', input.runId);
  return stored !== null && isOpen(stored) ? stored : null;
}

function ended(root: ChecksRoot, runId: string, document: RunDocument) {
  return { ...DONE_UNREMEMBERED, ...endRun(root, runId, document) } as const;
}

/** The effect that removes the screenshot of a result that does not count. The same result again keeps its own. */
function dropScreenshot({ row, input, context }: Scope<ChecksFold, 'finish-run'>) {
  const { runId, screenshot } = input;
  if (screenshot === null || row('run', runId)?.screenshot?.name === screenshot.name) return [];
  const address = screenshotBlob(context.aggregate, runId, screenshot);
  return [{ kind: 'remove-blob', address }] as const;
}
