import { revisionRowId } from '../../../schemas/activate/documents.ts';
import { activateProduct } from '../../../schemas/activate/product.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import { aliveWorkspace } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold/fold.ts';
import { refused, refusedFor } from '../../runtime/fold/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { NO_CHECKLIST } from '../preconditions.ts';
import { configured, revisionDone } from '../revisions.ts';

/** Creates a checklist with its first revision, within the plan's lifetime quota. */
export const createChecklist: CommandHandler<ActivateFold, 'create-checklist'> = {
  fold(scope) {
    const { root, input, context } = scope;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { plan } = alive.lifecycle;
    const full = activateProduct.quotaRefusal('checklists', scope, plan);
    if (full !== null) return refused(full);
    return {
      ...configured(input, { revision: 1, createdAt: context.now, now: context.now }),
      root: activateProduct.charge('checklists', root, plan, context.now),
    };
  },
};

/**
 * Makes the next revision of a checklist current. The same configuration again gets the same answer and makes no
 * revision. Enrolled subjects keep the revision of their enrollment
 * (infra/docs/reference/checklists.md#configuration).
 */
export const reviseChecklist: CommandHandler<ActivateFold, 'revise-checklist'> = {
  reads({ input: { checklistId } }, view) {
    const rows: RowKey[] = [{ kind: 'checklist', id: checklistId }];
    const checklist = view.peek('checklist', checklistId);
    if (checklist != null)
      rows.push({ kind: 'revision', id: revisionRowId(checklistId, checklist.revision) });
    return rows;
  },
  fold(scope) {
    const { row, input, context, limits } = scope;
    const { checklistId, expectedRevision, configuration } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const checklist = row('checklist', checklistId);
    if (checklist === null) return refused(NO_CHECKLIST);
    const { revision, createdAt } = checklist;
    const current = row('revision', revisionRowId(checklistId, revision));
    if (current?.digest === digestOf(configuration)) {
      return { outcome: revisionDone(checklistId, revision, current.createdAt) };
    }
    if (expectedRevision !== revision) {
      return refusedFor('revision_conflict', {
        at: 'body.expectedRevision',
        seen: 'another number',
        expected: `${revision}, the current revision`,
      });
    }
    const { revisions } = limits.checklists;
    if (revision >= revisions) {
      return refusedFor('limit_reached', {
        at: 'checklist.revision',
        seen: 'a revision beyond the last one',
        expected: `at most ${revisions} revisions of a checklist`,
      });
    }
    return configured(input, { revision: revision + 1, createdAt, now: context.now });
  },
};
