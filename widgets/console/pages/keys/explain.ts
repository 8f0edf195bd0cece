import { problemOf } from '../../api/problem.ts';

/** Explains a refusal in the words of this page: what it means and what to do. Null: the service's own message says it. */
export function explain(error: Error): string | null {
  const { code, retryAfterSeconds } = problemOf(error);
  switch (code) {
    case 'payment_required':
      return 'Live keys need an active subscription. Start it on this page; the free plan needs no card.';
    case 'limit_reached':
      return 'The limit of keys of this mode is reached. Revoke a key that nothing needs.';
    case 'rate_limited':
      return `You sent many requests in a minute. Try again ${retryAfterSeconds === null ? 'soon' : `in ${retryAfterSeconds} s`}.`;
    case 'forbidden':
      return 'Your role does not allow this any more. Ask an owner of the organization.';
    case 'idempotency_conflict':
      return 'This request was sent before with other values. Change the name to send it as a new one.';
    case 'state_conflict':
      return 'Another person changed it meanwhile. The page shows the new state.';
    case 'not_found':
      return 'It is not there any more. The page shows the new list.';
    default:
      return null;
  }
}
