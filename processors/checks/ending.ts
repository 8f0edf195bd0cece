import { isOverdue, lostRun } from '../../schemas/checks/derived-states.ts';
import type { ChecksRoot, RunDocument } from '../../schemas/checks/documents.ts';
import { checksProduct } from '../../schemas/checks/product.ts';
import type { RowChange, Scope } from '../runtime/fold/fold.ts';
import type { ChecksFold } from './checks-fold.ts';

/** A change that ends runs. It is the only way in which a run ends. */
export interface Ending {
  readonly root: ChecksRoot;
  readonly put: readonly RowChange<ChecksFold['rows']>[];
}

/** Ends a run with this document. A run that no runner took, or that ends by a fault of the service, gives its charge back. */
export function endRun(root: ChecksRoot, runId: string, document: RunDocument): Ending {
  const activeRuns = root.activeRuns.filter((active) => active.runId !== runId);
  const left = { ...root, activeRuns };
  const isCharged = document.driver !== null && document.findings?.failure?.reason !== 'internal';
  return {
    root: isCharged ? left : checksProduct.refund('checkRuns', left, document.requestedAt),
    put: [{ kind: 'run', id: runId, document }],
  };
}

/** Ends the active runs whose deadline has passed. */
export function endOverdueRuns({
  root,
  row,
  context: { now },
}: Pick<Scope<ChecksFold>, 'root' | 'row' | 'context'>): Ending {
  let ending: Ending = {
    root: { ...root, activeRuns: root.activeRuns.filter(({ deadlineAt }) => now < deadlineAt) },
    put: [],
  };
  for (const { runId } of root.activeRuns) {
    const run = row('run', runId);
    if (run === null || !isOverdue(run, now)) continue;
    const { root: left, put } = endRun(ending.root, runId, lostRun(run, now));
    ending = { root: left, put: [...ending.put, ...put] };
  }
  return ending;
}
