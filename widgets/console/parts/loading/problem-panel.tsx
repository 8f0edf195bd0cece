import type { ComponentChildren } from 'preact';
import { type Act, failedTitle, isInDoubt } from '../../api/lost-answer.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { isReadFailure } from '../../api/queries.ts';
import { CopyButton } from '../table/identifier.tsx';
import { Shape } from '../table/state.tsx';
import { visibleText } from '../table/visible-text.ts';
import { isAway } from './away.ts';
import { problemHead, problemSentence } from './problem-sentence.ts';

interface ProblemPanelProps {
  /** Null shows nothing. */
  readonly error: Error | null;
  /** The sentence that says what failed: "The workspaces could not be read." */
  readonly title?: string;
  /** The change that failed, in place of a title: whether it was made may not be known. */
  readonly act?: Act | undefined;
  /** Shown as "Try again" where the same request can succeed. */
  readonly onRetry?: () => void;
  /** True leaves out code and request id, where the person made a mistake that they can see. */
  readonly isOwnMistake?: boolean;
  readonly children?: ComponentChildren;
}

/** An error where it happened: what failed, what was seen and expected, code and request id to copy, and "Try again". */
export function ProblemPanel(props: ProblemPanelProps) {
  const { error, act, onRetry, isOwnMistake = false, children } = props;
  const away = isAway.use();
  if (error === null) return null;
  const problem = problemOf(error);
  const inDoubt = isInDoubt(error);
  const title = act === undefined ? (props.title ?? (inDoubt ? DOUBT : undefined)) : failedTitle(act, error);
  const isCovered = away && problem.code === 'unreachable' && isReadFailure(error);
  const head = title === undefined ? problemHead(problem) : { title, rest: problemSentence(problem) };
  // The bar above the page says why, and reads it again.
  if (isCovered) return <p class="hint">{visibleText(head.title)}.</p>;
  return (
    <div class="notice bad" role="alert">
      <Shape tone="bad" />
      <div>
        <strong>{visibleText(head.title)}</strong>
        {children ?? visibleText(head.rest)}
        {inDoubt &&
          onRetry !== undefined &&
          problem.isRetriable &&
          ' Try again finds out, and does nothing twice.'}
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

/** The title of a change that may have been made, where the page has no words for it. */
const DOUBT = 'It is not known whether this was done';

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
