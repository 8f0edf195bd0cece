import { type EnrollmentDocument, type Milestone, outcomeName } from '../../../schemas/activate/documents.ts';
import { activateProduct } from '../../../schemas/activate/product.ts';
import { changedSummary } from '../../../schemas/activate/progress.ts';
import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import { outcomeRowId } from '../../../schemas/base/outcome.ts';
import type { Lifecycle } from '../../../schemas/workspaces/lifecycle.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { type Measure, measureOf, measureRows } from '../measure.ts';
import { aliveForSubject, NO_CHECKLIST } from '../preconditions.ts';

type RecordEvent = Scope<ActivateFold, 'record-event'>;

/**
 * Records a milestone of a subject, in whatever order milestones arrive (infra/docs/reference/checklists.md#events).
 * The first accepted one enrolls the subject in the current revision, for good. The runtime answers a repeat from the
 * remembered outcome of its key, so this handler never sees one.
 *
 * The handler writes the enrollment; the runtime writes the outcome. Root and summary change with every event, but
 * are written once for all events of a batch.
 */
export const recordEvent: CommandHandler<ActivateFold, 'record-event'> = {
  reads({ input: { checklistId, enrollment, cohort } }, view) {
    const rows = [
      { kind: 'checklist', id: checklistId },
      { kind: 'enrollment', id: enrollment },
    ];
    const checklist = view.peek('checklist', checklistId);
    const enrolled = view.peek('enrollment', enrollment);
    if (checklist == null || enrolled === undefined) return rows;
    return [...rows, ...measureRows(checklistId, enrolled?.revision ?? checklist.revision, cohort)];
  },
  fold(scope) {
    const { row, input } = scope;
    const { checklistId, enrollment, cohort } = input;
    const alive = aliveForSubject(scope);
    if ('refused' in alive) return refused(alive.refused);
    const checklist = row('checklist', checklistId);
    if (checklist === null) return refused(NO_CHECKLIST);
    const before = row('enrollment', enrollment);
    const measure = measureOf(scope, checklistId, before?.revision ?? checklist.revision, cohort);
    const { steps } = measure.configuration;
    if (steps.every(({ key }) => key !== input.eventKey)) return refused(noSuchStep(measure));
    if (before !== null && hasAlternateKeysMax(scope, before)) {
      return { outcome: answer(scope, before, measure), remember: false };
    }
    const quota = usedUp(scope, alive.lifecycle, before);
    if (quota !== null) return refused(quota);
    const current = { checklistId, cohort, revision: checklist.revision, milestones: [] };
    return accept(scope, alive.lifecycle, measure, { before, after: withEvent(scope, before ?? current) });
  },
};

function noSuchStep({ configuration }: Measure): Refusal {
  const keys = configuration.steps.map(({ key }) => key).join(', ');
  return refusal('bad_request', {
    at: 'body.eventKey',
    seen: "no step of the subject's revision",
    expected: `${keys}`,
  });
}

/**
 * True if the milestone is completed and its alternate keys are used up (infra/docs/reference/checklists.md#limits).
 */
function hasAlternateKeysMax({ input, limits }: RecordEvent, { milestones }: EnrollmentDocument): boolean {
  const [, ...outcomes] = milestones.find(([step]) => step === input.eventKey) ?? [];
  return outcomes.length > limits.checklists.alternateKeys;
}

function usedUp(scope: RecordEvent, { plan }: Lifecycle, before: EnrollmentDocument | null): Refusal | null {
  const full = before === null ? activateProduct.quotaRefusal('checklistEnrollments', scope, plan) : null;
  return full ?? activateProduct.quotaRefusal('checklistEvents', scope, plan);
}

/** The enrollment with the event's key at its milestone, which it completes unless it is completed. */
function withEvent({ input, envelope }: RecordEvent, enrollment: EnrollmentDocument): EnrollmentDocument {
  const { milestones } = enrollment;
  const name = outcomeName(outcomeRowId(envelope.operation, envelope.key));
  const known = milestones.some(([step]) => step === input.eventKey);
  const changed: Milestone[] = known
    ? milestones.map((milestone) => (milestone[0] === input.eventKey ? [...milestone, name] : milestone))
    : [...milestones, [input.eventKey, name]];
  return { ...enrollment, milestones: changed };
}

interface Enrolled {
  readonly before: EnrollmentDocument | null;
  readonly after: EnrollmentDocument;
}

function accept(
  scope: RecordEvent,
  { plan }: Lifecycle,
  measure: Measure,
  change: Enrolled,
): FoldResult<ActivateFold, 'record-event'> {
  const { input, context } = scope;
  const { checklistId, enrollment } = input;
  const { before, after } = change;
  const { now } = context;
  const root =
    before === null ? activateProduct.charge('checklistEnrollments', scope.root, plan, now) : scope.root;
  const summary = changedSummary(measure.summary, measure.configuration, change);
  return {
    outcome: answer(scope, after, measure, before),
    root: {
      ...activateProduct.charge('checklistEvents', root, plan, now),
      lastEvent: { checklistId, at: now },
    },
    put: [{ kind: 'enrollment', id: enrollment, document: after }, measure.change(summary)],
    remember: { entity: enrollment, listed: false },
  };
}

/** `before`: the enrollment without the event; absent where the event changes nothing. */
function answer(
  { input, context }: RecordEvent,
  { milestones }: EnrollmentDocument,
  { configuration }: Measure,
  before?: EnrollmentDocument | null,
): FoldResult<ActivateFold, 'record-event'>['outcome'] {
  const completes = before !== undefined && milestones.length > (before?.milestones.length ?? 0);
  return {
    kind: 'done',
    result: {
      eventId: input.eventId,
      outcome: completes ? 'completed' : 'already_completed',
      completedSteps: milestones.length,
      totalSteps: configuration.steps.length,
      receivedAt: context.now,
    },
  };
}
