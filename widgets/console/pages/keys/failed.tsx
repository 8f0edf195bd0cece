import type { Act } from '../../api/lost-answer.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { explain } from './explain.ts';

interface FailedProps {
  /** Null shows nothing. */
  readonly error: Error | null;
  /** The sentence for a read that failed. */
  readonly title?: string;
  /** The change that failed, in place of a title. */
  readonly act?: Act;
  readonly onRetry: () => void;
}

/** A refusal where it happened, explained in the words of this page. */
export function Failed({ error, onRetry, ...words }: FailedProps) {
  const reason = error && explain(error);
  return (
    <ProblemPanel {...words} error={error} onRetry={onRetry}>
      {reason === null ? undefined : ` ${reason}`}
    </ProblemPanel>
  );
}
