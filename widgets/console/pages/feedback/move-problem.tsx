import { hasStatus } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { LISTED_STATES, SUBMISSION_STATES } from './submission-state.ts';

interface MoveProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** A refused move. If another person was faster, it says what that person has done; the list shows it. */
export function MoveProblem({ error, onRetry }: MoveProblemProps) {
  if (hasStatus(error, 409)) {
    return (
      <ProblemPanel error={error} title="Nothing was moved: another person was faster">
        {stateNow(error)} The list shows it as it is now.
      </ProblemPanel>
    );
  }
  if (hasStatus(error, 404)) {
    return (
      <ProblemPanel error={error} title="The submission is gone">
        Another person has erased it, or its retention has ended.
      </ProblemPanel>
    );
  }
  return <ProblemPanel error={error} title="The submission was not moved" onRetry={onRetry} />;
}

/** The state that the refusal names as the expected one: `body.from: seen open, expected held, …`. */
function stateNow(error: Error): string {
  const { message } = problemOf(error);
  const state = LISTED_STATES.find((each) => message.includes(`expected ${each}`));
  return state === undefined
    ? 'The message has another state now.'
    : `It is ${SUBMISSION_STATES[state].word.toLowerCase()} now.`;
}
