import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { ChecklistConfiguration, Step } from './configuration.ts';
import type { EnrollmentDocument, ProgressSession, SessionsDocument, SummaryDocument } from './documents.ts';

/** The sessions of a subject that have not ended, the oldest first. A pause stops them while it lasts and ends none. */
export function activeSessions(document: SessionsDocument | null, now: number): ProgressSession[] {
  return document === null ? [] : document.sessions.filter(({ endsAt }) => endsAt > now);
}

/** When a session ends: at its own end, or with the preview while the workspace is one. */
export function sessionEnd(
  { endsAt }: Pick<ProgressSession, 'endsAt'>,
  { expiresAt }: Pick<Lifecycle, 'expiresAt'>,
): number {
  return Math.min(endsAt, expiresAt ?? endsAt);
}

/** A milestone, and whether the subject has it. */
export type StepProgress = Step & { readonly completed: boolean };

/** The steps of a configuration as an enrollment in it stands; without one, nothing is completed. */
export function stepProgress(
  { steps }: Pick<ChecklistConfiguration, 'steps'>,
  enrollment: EnrollmentDocument | null,
): StepProgress[] {
  const completed = new Set(enrollment?.milestones.map(([step]) => step));
  return steps.map((step) => ({ ...step, completed: completed.has(step.key) }));
}

/** The summary of a revision without enrollments. */
export function emptySummary({ steps }: { readonly steps: readonly Step[] }): SummaryDocument {
  return { enrollments: 0, complete: 0, acceptedEvents: 0, completed: steps.map(() => 0) };
}

/** An enrollment before and after a change; null where there is none. */
export interface EnrollmentChange {
  readonly before: EnrollmentDocument | null;
  readonly after: EnrollmentDocument | null;
}

/** The summary after one of its enrollments has changed: it is always what all of them come to. */
export function changedSummary(
  summary: SummaryDocument,
  { steps }: { readonly steps: readonly Step[] },
  { before, after }: EnrollmentChange,
): SummaryDocument {
  const gained = contribution(steps, after);
  const lost = contribution(steps, before);
  return {
    ...summary,
    enrollments: summary.enrollments + gained.enrollments - lost.enrollments,
    complete: summary.complete + gained.complete - lost.complete,
    acceptedEvents: summary.acceptedEvents + gained.acceptedEvents - lost.acceptedEvents,
    completed: steps.map(
      (_, index) => at(summary.completed, index) + at(gained.completed, index) - at(lost.completed, index),
    ),
  };
}

/** The counts that one enrollment adds to the summary of its revision and cohort. */
function contribution(steps: readonly Step[], enrollment: EnrollmentDocument | null): SummaryDocument {
  if (enrollment === null) return emptySummary({ steps });
  const { milestones } = enrollment;
  return {
    enrollments: 1,
    complete: milestones.length === steps.length ? 1 : 0,
    // A milestone is its step and a name for each event.
    acceptedEvents: milestones.reduce((sum, milestone) => sum + milestone.length - 1, 0),
    completed: steps.map((step) => (milestones.some(([completed]) => completed === step.key) ? 1 : 0)),
  };
}

function at(counts: readonly number[], index: number): number {
  return counts[index] ?? 0;
}
