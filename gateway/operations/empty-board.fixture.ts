import { ActivityLog } from './activity-log.ts';
import { History } from './history.ts';
import type { OperationsBoard } from './process-reading.ts';

/** A board that no process has reported to. */
export function emptyBoard(now: () => number): OperationsBoard {
  return {
    read: async () => ({ readAt: now(), isCurrent: true, reports: [] }),
    history: new History(),
    activity: new ActivityLog(),
  };
}
