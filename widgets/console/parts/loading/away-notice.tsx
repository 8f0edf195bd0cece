import { Shape } from '../table/state.tsx';
import { isAway } from './away.ts';

/** Says that the service cannot be reached, while that is so. */
export function AwayNotice() {
  if (!isAway.use()) return null;
  return (
    <div class="notice warn">
      <Shape tone="warn" />
      <div>
        <strong>The service cannot be reached</strong>
        This page tries again every few seconds. What you typed stays.
      </div>
    </div>
  );
}
