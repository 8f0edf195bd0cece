import type { ChecksRoot, RunDocument } from '../../../schemas/checks/documents.ts';
import { nothingFound, statusOf } from '../../../schemas/checks/results.ts';
import { runOverheadMs } from '../../../schemas/checks/run-time.ts';
import { abandonedRun, effectiveRun } from '../../../schemas/checks/states.ts';
import type { CommandHandler, Scope } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { isProved, judgeFindings, PROOF_ENDED } from '../judging.ts';
import { removeBytes } from './request-run.ts';

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
    if (run === null || run.driver !== null) return DONE_UNREMEMBERED;
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
      put: [
        {
          kind: 'run',
          id: runId,
          document: { ...taken, status: 'running', deadlineAt },
        },
      ],
    };
  },
};

/** The end of a run. The result of a runner that no longer has the run is dropped, with its screenshot. */
export const finishRun: CommandHandler<ChecksFold, 'finish-run'> = {
  reads: ({ input: { runId } }, view) => {
    const run = view.peek('run', runId);
    return [{ kind: 'run', id: runId }, ...(run == null ? [] : [{ kind: 'origin', id: run.originId }])];
  },
  fold(scope) {
    const { root, row, input, context } = scope;
    const { runId, driver, screenshot } = input;
    const { now, aggregate } = context;
    const run = openRun(scope);
    if (run === null || (run.driver !== null && run.driver !== driver)) {
      const isStored = row('run', runId)?.screenshot != null;
      return isStored
        ? DONE_UNREMEMBERED
        : { ...DONE_UNREMEMBERED, effects: [removeBytes(aggregate, runId)] };
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
    return ended(scope.root, scope.input.runId, abandonedRun(run, scope.context.now));
  },
};

/** The run if it has not ended, also not by its deadline. */
function openRun({
  row,
  input,
  context,
}: Pick<Scope<ChecksFold>, 'row' | 'context'> & { readonly input: { readonly runId: string } }) {
  const stored = row('run', input.runId);
  if (stored === null) return null;
  const { status } = effectiveRun(stored, context.now);
  return status === 'queued' || status === 'running' ? stored : null;
}

function ended(root: ChecksRoot, runId: string, document: RunDocument) {
  return {
    ...DONE_UNREMEMBERED,
    root: { ...root, activeRuns: root.activeRuns.filter((active) => active.runId !== runId) },
    put: [{ kind: 'run', id: runId, document }],
  } as const;
}
