import { screenshotBlob } from '../../../schemas/checks/blobs.ts';
import type { ChecksRoot, RunDocument } from '../../../schemas/checks/documents.ts';
import { nothingFound, statusOf } from '../../../schemas/checks/results.ts';
import { runOverheadMs } from '../../../schemas/checks/run-time.ts';
import { isOpen, isOverdue, lostRun } from '../../../schemas/checks/states.ts';
import type { CommandHandler, Scope } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ChecksFold } from '../checks-fold.ts';
import { endRun } from '../ending.ts';
import { isProved, judgeFindings, PROOF_ENDED } from '../judging.ts';

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
