import type { Lifecycle } from '../workspaces/lifecycle.ts';
import type { SubmissionDocument } from './documents.ts';

/** When a submission ends: after its retention, or with the preview while the workspace is one. */
export function submissionEnd(
  { retainedUntil }: Pick<SubmissionDocument, 'retainedUntil'>,
  { expiresAt }: Pick<Lifecycle, 'expiresAt'>,
): number {
  return Math.min(retainedUntil, expiresAt ?? retainedUntil);
}
