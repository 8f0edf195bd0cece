import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { explain } from './explain.ts';

interface FailedProps {
  /** Null shows nothing. */
  readonly error: Error | null;
  /** The failed action: "The key was not created". */
  readonly title: string;
  readonly onRetry: () => void;
}

/** A refusal where it happened, explained in the words of this page. */
export function Failed({ error, title, onRetry }: FailedProps) {
  const reason = error && explain(error);
  return (
    <ProblemPanel error={error} title={title} onRetry={onRetry}>
      {reason === null ? undefined : ` ${reason}`}
    </ProblemPanel>
  );
}
