import type { Problem } from '../../api/problem.ts';

/** The codes whose messages are written for people. Other messages name the part of a request, for programs. */
const PLAIN = ['unreachable', 'unavailable', 'internal_error'] as const;

type PlainCode = (typeof PLAIN)[number];

/** A sentence for each other code. The type lacks none, so that a new code comes with its sentence. */
const SENTENCES: Readonly<Record<Exclude<Problem['code'], PlainCode>, string>> = {
  bad_request: 'The service did not accept what was entered. Details says which part.',
  unauthorized: 'The address or the password is wrong.',
  session_required: 'Your session ended. Sign in to continue.',
  membership_ended: 'You no longer belong to this organization. Sign in again.',
  organization_required: 'You belong to no organization yet. Open the link of your invitation first.',
  payment_required: 'Live keys need an active subscription.',
  forbidden: 'Your role does not allow this. Ask an owner or admin.',
  workspace_paused: 'The workspace is paused. Resume it first.',
  workspace_disconnected: 'The workspace was disconnected for good.',
  claim_required: 'Only a claimed workspace can do this. Claim it first.',
  product_not_enabled: 'The workspace was created without this product.',
  origin_not_allowed: 'This page is not one of the allowed origins.',
  not_found: 'This no longer exists.',
  method_not_allowed:
    'The service does not support this request. Reload the page to get the current version.',
  conflict: 'This contradicts what is stored. Someone may have changed it meanwhile.',
  idempotency_conflict:
    'The same request was sent before with other values. Close the form and open it again.',
  revision_conflict: 'Someone has changed this meanwhile.',
  acknowledgment_conflict: 'The batch was acknowledged before with other rows.',
  state_conflict: 'The state does not allow this now. Someone may have changed it meanwhile.',
  upload_conflict: 'The file differs from the one that was announced. Upload it again.',
  gone: 'This no longer exists.',
  expired: 'This has expired.',
  erased: 'This was erased.',
  cancelled: 'This was cancelled.',
  payload_too_large: 'This is larger than the service accepts.',
  unsupported_media_type: 'The service does not accept this kind of content.',
  rate_limited: 'Wait a minute, then try again.',
  limit_reached: 'A limit of the plan is used up.',
};

/** The problem as a person reads it. Its code alone decides. */
export function problemSentence({ code, message }: Pick<Problem, 'code' | 'message'>): string {
  return isPlain(code) ? message : SENTENCES[code];
}

function isPlain(code: Problem['code']): code is PlainCode {
  return (PLAIN as readonly string[]).includes(code);
}

/** Titles of codes whose messages or sentences say what to do, and not what happened. */
const TITLES: Readonly<Partial<Record<Problem['code'], string>>> = {
  unreachable: 'The service cannot be reached',
  unavailable: 'The service cannot answer just now',
  internal_error: 'The service failed',
  rate_limited: 'Too many requests in a short time',
};

/** The problem in two parts where the page has no title for it: what happened, and what to do, which may be empty. */
export function problemHead(problem: Pick<Problem, 'code' | 'message'>): { title: string; rest: string } {
  const sentence = problemSentence(problem);
  const title = TITLES[problem.code];
  if (title !== undefined) return { title, rest: sentence };
  const end = sentence.indexOf('.');
  return { title: sentence.slice(0, end), rest: sentence.slice(end + 1).trim() };
}
