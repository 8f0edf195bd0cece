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
 * (infra/docs/reference/checklists.md). An enrollment that cannot be read stays in the summary: its steps are not known.
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
  admitsUnreadable: ['checklist', 'enrollment', 'sessions', 'revision', 'summary'],
  fold(scope) {
    const { row, salvaged, root, actor, input, context } = scope;
    const { checklistId, enrollment, cohort } = input;
    if (actor.kind !== 'user') return refused(NOT_THE_OWNER);
    if (root.lifecycle === null) return refused(NOT_YET_KNOWN);
    if (root.lifecycle.state === 'erased') return refused(WORKSPACE_ERASED);
    const isKnown = row('checklist', checklistId) !== null || salvaged('checklist', checklistId) !== null;
    if (!isKnown) return refused(NO_CHECKLIST);
    const enrolled = row('enrollment', enrollment);
    const stored = row('sessions', enrollment);
    const unreadable = [salvaged('enrollment', enrollment), salvaged('sessions', enrollment)];
    const isThere =
      enrolled !== null ||
      activeSessions(stored, context.now).length > 0 ||
      unreadable.some((known) => known !== null);
    const { sessions = [] } = stored ?? salvaged('sessions', enrollment) ?? {};
    return {
      ...(isThere ? erasedAt(context.now, cohort) : NOTHING_THERE),
      ...withoutEnrollment(scope, enrolled ?? salvaged('enrollment', enrollment) ?? {}),
      remove: [{ kind: 'enrollment' as const, id: enrollment }, sessionsRow(enrollment)],
      effects: [...endTokens(sessions), eraseDeadLetters(enrollment, context)],
    };
  },
};

/** The summary without it, unless that cannot be read, and the outcomes that its keys are remembered with. */
function withoutEnrollment(
  scope: Scope<ActivateFold, 'erase-subject'>,
  { milestones = [] }: Partial<EnrollmentDocument>,
): Pick<FoldResult<ActivateFold, 'erase-subject'>, 'put' | 'erase'> {
  const { checklistId, enrollment, cohort } = scope.input;
  const enrolled = scope.row('enrollment', enrollment);
  const ids = milestones.flatMap(([, ...names]) => names.map(outcomeNamed));
  const erase = ids.map((id) => ({ kind: RUNTIME_KINDS.outcome, id }));
  if (enrolled === null) return { erase };
  const rows = measureRows(checklistId, enrolled.revision, cohort);
  if (rows.some(({ kind, id }) => scope.salvaged(kind, id) !== null)) return { erase };
  const measure = measureOf(scope, checklistId, enrolled.revision, cohort);
  const change = { before: enrolled, after: null };
  return { put: [measure.change(changedSummary(measure.summary, measure.configuration, change))], erase };
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
    // For a repeat whose first answer was lost.
    remember: null,
    audit: { cohort },
  };
}
