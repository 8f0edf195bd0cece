import { hasStatus } from '../../api/client.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';

const MOVE = { thing: 'the submission', done: 'moved' };

interface MoveProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/**
 * A refused move. If another person was faster, the lists show what that person has done. After a lost answer, the refusal can
 * also mean that the move took effect before.
 */
export function MoveProblem({ error, onRetry }: MoveProblemProps) {
  if (hasStatus(error, 409) && isInDoubt(error)) {
    return (
      <ProblemPanel error={error} act={MOVE}>
        The lists show where it is now.
      </ProblemPanel>
    );
  }
  if (hasStatus(error, 409)) {
    return (
      <ProblemPanel error={error} title="Nothing was moved: someone else acted first">
        The lists show it as it is now.
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
  return <ProblemPanel error={error} act={MOVE} onRetry={onRetry} />;
}
