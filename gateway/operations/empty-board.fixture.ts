import type { Switches } from '../../schemas/organizations/switches.ts';
import type { GatewayServices } from '../services.ts';
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

/** Switches that a test sets. */
export function switchesFrom(read: () => Switches): GatewayServices['switches'] {
  return { read: async () => read(), readNow: async () => read(), forget: () => undefined };
}
