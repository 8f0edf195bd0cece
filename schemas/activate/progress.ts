import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { ChecklistConfiguration, Step } from './configuration.ts';
import type {
  ActivateRoot,
  EnrollmentDocument,
  ProgressSession,
  SessionsDocument,
  SummaryDocument,
} from './documents.ts';

/** The sessions of a subject that neither time nor a pause has ended, the oldest first. */
export function activeSessions(
  document: SessionsDocument | null,
  { pauses }: Pick<ActivateRoot, 'pauses'>,
  now: number,
): ProgressSession[] {
  if (document === null || document.pauses !== pauses) return [];
  return document.sessions.filter(({ endsAt }) => endsAt > now);
}

/** When a session ends: at its own end, or with the preview while the workspace is one (contract B). */
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
  const completed = new Set(enrollment?.milestones.map(({ key }) => key));
  return steps.map((step) => ({ ...step, completed: completed.has(step.key) }));
}

/** The summary of a revision that nobody is enrolled in. */
export function emptySummary({ steps }: Pick<ChecklistConfiguration, 'steps'>): SummaryDocument {
  return { enrollments: 0, complete: 0, acceptedEvents: 0, completed: steps.map(() => 0) };
}

/** A summary with one enrollment more (`1`) or one less (`-1`), whose other enrollments stay as they are. */
export function withEnrollment(
  summary: SummaryDocument,
  { steps }: Pick<ChecklistConfiguration, 'steps'>,
  { milestones }: EnrollmentDocument,
  sign: 1 | -1,
): SummaryDocument {
  const completed = new Set(milestones.map(({ key }) => key));
  const events = milestones.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  return {
    enrollments: summary.enrollments + sign,
    complete: summary.complete + (milestones.length === steps.length ? sign : 0),
    acceptedEvents: summary.acceptedEvents + sign * events,
    completed: steps.map(
      ({ key }, index) => (summary.completed[index] ?? 0) + (completed.has(key) ? sign : 0),
    ),
  };
}
