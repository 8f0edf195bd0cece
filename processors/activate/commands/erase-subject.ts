import { type EnrollmentDocument, outcomeNamed } from '../../../schemas/activate/documents.ts';
import { activeSessions, changedSummary } from '../../../schemas/activate/progress.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { WORKSPACE_ERASED } from '../../../schemas/workspaces/state.ts';
import { NOT_YET_KNOWN } from '../../runtime/fold/alive-workspace.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/fold/results.ts';
import { eraseDeadLetters } from '../../runtime/sweeps/erasure.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { measureOf, measureRows } from '../measure.ts';
import { NO_CHECKLIST } from '../preconditions.ts';
import { endTokens, sessionsRow } from '../sessions.ts';

/**
 * Erases a subject from a checklist, whatever the workspace's state: the enrollment with its events and their keys,
 * the sessions, and its part of the summary. Its use stays charged, and a later event enrolls it again
 * (infra/docs/reference/checklists.md).
 */
export const eraseSubject: CommandHandler<ActivateFold, 'erase-subject'> = {
  reads({ input: { checklistId, enrollment, cohort } }, view) {
    const rows = [
      { kind: 'checklist', id: checklistId },
      { kind: 'enrollment', id: enrollment },
      sessionsRow(enrollment),
    ];
    const enrolled = view.peek('enrollment', enrollment);
    return enrolled == null ? rows : [...rows, ...measureRows(checklistId, enrolled.revision, cohort)];
  },
  fold(scope) {
    const { row, root, actor, input, context } = scope;
    const { checklistId, enrollment, cohort } = input;
    if (actor.kind !== 'user') return refused(NOT_THE_OWNER);
    if (root.lifecycle === null) return refused(NOT_YET_KNOWN);
    if (root.lifecycle.state === 'erased') return refused(WORKSPACE_ERASED);
    if (row('checklist', checklistId) === null) return refused(NO_CHECKLIST);
    const enrolled = row('enrollment', enrollment);
    const stored = row('sessions', enrollment);
    const active = activeSessions(stored, context.now);
    return {
      ...(enrolled === null && active.length === 0 ? NOTHING_THERE : erasedAt(context.now, cohort)),
      ...(enrolled === null ? {} : withoutEnrollment(scope, enrolled)),
      remove: [{ kind: 'enrollment' as const, id: enrollment }, sessionsRow(enrollment)],
      effects: [...endTokens(stored?.sessions ?? []), eraseDeadLetters(enrollment, context)],
    };
  },
};

/** The summary without it, and the outcomes that its keys are remembered with. */
function withoutEnrollment(
  scope: Scope<ActivateFold, 'erase-subject'>,
  enrolled: EnrollmentDocument,
): Pick<FoldResult<ActivateFold, 'erase-subject'>, 'put' | 'erase'> {
  const { checklistId, cohort } = scope.input;
  const measure = measureOf(scope, checklistId, enrolled.revision, cohort);
  const change = { before: enrolled, after: null };
  const ids = enrolled.milestones.flatMap(([, ...names]) => names.map(outcomeNamed));
  return {
    put: [measure.change(changedSummary(measure.summary, measure.configuration, change))],
    erase: ids.map((id) => ({ kind: RUNTIME_KINDS.outcome, id })),
  };
}

const NOT_THE_OWNER = refusal('forbidden', {
  at: 'caller',
  seen: 'no person',
  expected: 'an owner or admin of the organization',
});

/** There was nothing to erase, and so there is nothing for the audit log to tell. */
const NOTHING_THERE: FoldResult<ActivateFold, 'erase-subject'> = {
  ...DONE_UNREMEMBERED,
  outcome: { kind: 'done', result: { erased: false, erasedAt: null } },
  audit: false,
};

function erasedAt(now: number, cohort: string): FoldResult<ActivateFold, 'erase-subject'> {
  return {
    outcome: { kind: 'done', result: { erased: true, erasedAt: now } },
    remember: false,
    audit: { cohort },
  };
}
