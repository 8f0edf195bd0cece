import { countHour } from '../base/hourly-counts.ts';
import { lifetimeQuota, type Quota } from '../base/quota.ts';
import type { Limits } from '../limits.ts';
import type { Lifecycle, Plan } from '../workspaces/lifecycle.ts';
import { chargePlanMonth, planQuota } from '../workspaces/plan-quota.ts';
import type { FeedbackRoot, SubmissionDocument } from './documents.ts';

/** Widgets ever made, against the plan. */
export function widgetQuota(root: FeedbackRoot, plan: Plan, limits: Limits): Quota {
  return lifetimeQuota(limits.plans[plan].feedbackWidgets, root.widgetsMade);
}

/**
 * Returns the id of the widget that another one may replace: the latest of a preview without a free one, as long as no submission
 * has arrived. Null if a further widget has to be free.
 */
export function replaceableWidgetId(root: FeedbackRoot, plan: Plan, limits: Limits): string | null {
  const isReplaceable =
    plan === 'preview' && widgetQuota(root, plan, limits).remaining === 0 && root.submissionsMade === 0;
  return isReplaceable ? (root.latestWidgetId ?? null) : null;
}

/** Submissions, held ones included: of the whole life of a preview; of the UTC month once it is claimed. */
export function submissionQuota(root: FeedbackRoot, plan: Plan, limits: Limits, now: number): Quota {
  const used = { ever: root.submissionsMade, inMonth: root.submissionsInMonth };
  return planQuota(plan, limits.plans[plan].feedbackSubmissions, used, now);
}

/** Held submissions, which are a part of all of them: programs must not use up what people need. */
export function heldQuota(root: FeedbackRoot, plan: Plan, limits: Limits, now: number): Quota {
  const used = { ever: root.heldMade, inMonth: root.heldInMonth };
  return planQuota(plan, limits.plans[plan].feedbackHeld, used, now);
}

/** Charges one submission, and counts it in its hour. */
export function chargeSubmission(root: FeedbackRoot, plan: Plan, now: number, held: boolean): FeedbackRoot {
  return {
    ...root,
    submissionsMade: root.submissionsMade + 1,
    submissionsInMonth: chargePlanMonth(plan, root.submissionsInMonth, now),
    ...(held && {
      heldMade: root.heldMade + 1,
      heldInMonth: chargePlanMonth(plan, root.heldInMonth, now),
    }),
    activity: countHour(root.activity, now),
  };
}

/** When a submission ends: after its retention, or with the preview while the workspace is one. */
export function submissionEnd(
  { retainedUntil }: Pick<SubmissionDocument, 'retainedUntil'>,
  { expiresAt }: Pick<Lifecycle, 'expiresAt'>,
): number {
  return Math.min(retainedUntil, expiresAt ?? retainedUntil);
}
