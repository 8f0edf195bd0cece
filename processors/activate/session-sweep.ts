import { activateCommands } from '../../schemas/activate/commands.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Sweep } from '../runtime/sweeps/sweeper.ts';

/** Sessions end by themselves; what is left of them would stay for every user who ever opened a page. */
export function sessionSweep(limits: Limits): Sweep<typeof activateCommands> {
  return {
    topic: 'activate',
    commands: activateCommands,
    name: 'sessions',
    types: ['issue-session'],
    delayMs: limits.checklists.sessionMs,
    due: async (command, installationId) => {
      if (command.type !== 'issue-session') return [];
      const input = { enrollment: command.input.enrollment };
      return [{ kind: 'command', topic: 'activate', key: installationId, type: 'tidy-sessions', input }];
    },
  };
}
