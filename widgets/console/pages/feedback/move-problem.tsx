import { hasStatus } from '../../api/client.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';

interface MoveProblemProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** A refused move. If another person was faster, the lists show what that person has done. */
export function MoveProblem({ error, onRetry }: MoveProblemProps) {
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
  return <ProblemPanel error={error} act={{ thing: 'the submission', done: 'moved' }} onRetry={onRetry} />;
}
