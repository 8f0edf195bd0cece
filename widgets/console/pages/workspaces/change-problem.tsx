import { hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { isInDoubt } from '../../api/lost-answer.ts';
import { problemOf } from '../../api/problem.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { stateNow } from './use-workspace-change.ts';

interface ChangeProblemProps {
  readonly error: Error;
  /** The state after the refusal. */
  readonly state: Schemas['WorkspaceState'];
  readonly onRetry: () => void;
}

/** A refused change of a workspace. If another person was faster, it names the state that the workspace has now. */
export function ChangeProblem({ error, state, onRetry }: ChangeProblemProps) {
  if (problemOf(error).code === 'forbidden') {
    return (
      <ProblemPanel error={error} title="Your role does not allow this any more">
        An owner or admin of the organization does this. Ask one of them.
      </ProblemPanel>
    );
  }
  if (isInDoubt(error)) return <ProblemPanel error={error} onRetry={onRetry} />;
  if (!hasStatus(error, 409) && !hasStatus(error, 403)) {
    return <ProblemPanel error={error} onRetry={onRetry} />;
  }
  return (
    <ProblemPanel error={error} title="Another person has changed this workspace">
      {stateNow(state)}
    </ProblemPanel>
  );
}
