import type { InfiniteData } from '@tanstack/preact-query';
import type { Schemas } from '../../api/interface.ts';
import type { Submission, SubmissionState } from './queries.ts';

export type InboxPages = InfiniteData<Schemas['SubmissionList']>;

/** The submissions of all pages that are loaded, newest first, each once. */
export function submissionsOf(pages: InboxPages | undefined): readonly Submission[] | undefined {
  const all = pages?.pages.flatMap((page) => page.submissions);
  // A page that was read later can repeat what an earlier one has.
  return all === undefined ? undefined : [...new Map(all.map((each) => [each.submissionId, each])).values()];
}

/**
 * The pages of a list after a submission has got another state, or is gone (null). It leaves a list of another state and keeps its
 * place in the list of all.
 *
 * @param listed the state of the list; null: every state
 */
export function afterMove(
  pages: InboxPages | undefined,
  listed: SubmissionState | null,
  submissionId: string,
  state: SubmissionState | null,
): InboxPages | undefined {
  if (pages === undefined) return undefined;
  const moved = (each: Submission) => {
    if (each.submissionId !== submissionId) return [each];
    return state !== null && (listed === null || listed === state) ? [{ ...each, state }] : [];
  };
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, submissions: page.submissions.flatMap(moved) })),
  };
}

/** The submission that is selected once another one leaves the list: the next, or the one before it, or none. */
export function neighbour(submissions: readonly Submission[], submissionId: string): string | null {
  const at = submissions.findIndex((each) => each.submissionId === submissionId);
  if (at < 0) return null;
  return (submissions[at + 1] ?? submissions[at - 1])?.submissionId ?? null;
}
