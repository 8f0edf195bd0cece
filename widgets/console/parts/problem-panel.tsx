import type { ComponentChildren } from 'preact';
import { type Problem, problemOf } from '../api/problem.ts';
import { isReadFailure } from '../api/queries.ts';
import { isAway } from './away.ts';
import { CopyButton } from './identifier.tsx';
import { Shape } from './state.tsx';
import { visibleText } from './visible-text.ts';

interface ProblemPanelProps {
  /** Null shows nothing. */
  readonly error: Error | null;
  /** The sentence that says what failed: "The workspaces could not be read." */
  readonly title?: string;
  /** Shown as "Try again" where the same request can succeed. */
  readonly onRetry?: () => void;
  /** True leaves out code and request id, where the person made a mistake that they can see. */
  readonly isOwnMistake?: boolean;
  readonly children?: ComponentChildren;
}

/** An error where it happened: what failed, what was seen and expected, code and request id to copy, and "Try again". */
export function ProblemPanel({ error, title, onRetry, isOwnMistake = false, children }: ProblemPanelProps) {
  const away = isAway.use();
  if (error === null) return null;
  const problem = problemOf(error);
  const isCovered = away && problem.code === 'unreachable' && isReadFailure(error);
  // The bar above the page says why, and reads it again.
  if (isCovered) return <p class="hint">{visibleText(title ?? titleOf(problem.code))}.</p>;
  return (
    <div class="notice bad" role="alert">
      <Shape tone="bad" />
      <div>
        <strong>{visibleText(title ?? titleOf(problem.code))}</strong>
        {children ?? visibleText(sentenceOf(problem))}
        {!isOwnMistake && <Details problem={problem} />}
        {onRetry !== undefined && problem.isRetriable && (
          <button type="button" class="btn small" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** The answer as it was sent, its code and the id of the request: a person who asks for help passes them on. */
function Details({ problem: { message, code, requestId } }: { readonly problem: Problem }) {
  return (
    <details class="hint seen">
      <summary>Details</summary>
      {visibleText(message)} <code>{code}</code>
      {requestId !== null && (
        <span class="id">
          <code>{requestId}</code>
          <CopyButton value={requestId} label="Copy request id" />
        </span>
      )}
    </details>
  );
}

/** The part of a query that tells of its failure and reads it again. */
export interface FailedQuery {
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface ReadProblemProps {
  readonly query: FailedQuery;
  readonly title: string;
}

/** The panel of a query that has failed, which reads again; nothing otherwise. */
export function ReadProblem({ query, title }: ReadProblemProps) {
  return <ProblemPanel error={query.error} title={title} onRetry={() => void query.refetch()} />;
}

/** A refusal of the interface names the part of the request: "body.origin: seen …, expected …". It is for programs. */
const FOR_PROGRAMS = /: seen .*, expected /s;

const SENTENCES: Readonly<Partial<Record<Problem['code'], string>>> = {
  unauthorized: 'The address or the password is wrong.',
  session_required: 'Your session ended. Sign in to continue.',
  payment_required: 'Live keys need an active subscription.',
  forbidden: 'Your role does not allow this. Ask an owner or admin.',
  workspace_paused: 'The workspace is paused. Resume it first.',
  workspace_disconnected: 'The workspace was disconnected for good.',
  not_found: 'This no longer exists.',
  gone: 'This no longer exists.',
  erased: 'This was erased.',
  expired: 'This has expired.',
  cancelled: 'This was cancelled.',
  conflict: 'This contradicts what is stored. Someone may have changed it meanwhile.',
  state_conflict: 'The state does not allow this now. Someone may have changed it meanwhile.',
  revision_conflict: 'Someone has changed this meanwhile.',
  rate_limited: 'Wait a minute, then try again.',
  limit_reached: 'A limit of the plan is used up.',
};

function sentenceOf({ code, message: text }: Problem): string {
  if (!FOR_PROGRAMS.test(text)) return text;
  return SENTENCES[code] ?? 'The service did not accept this. Details says why.';
}

function titleOf(code: string): string {
  if (code === 'unreachable') return 'The service cannot be reached';
  if (code === 'unavailable') return 'The service cannot answer just now';
  if (code === 'rate_limited') return 'Too many requests in a short time';
  return 'Something went wrong';
}
