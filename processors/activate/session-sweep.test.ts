import { describe, expect, it } from 'vitest';
import type { activateCommands } from '../../schemas/activate/commands.ts';
import type { CommandOf } from '../../schemas/base/command.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { checklistIdOf, enrollmentOf, installationId } from './activate-world.fixture.ts';
import { sessionSweep } from './session-sweep.ts';

const sweep = sessionSweep(DEFAULT_LIMITS);
const of = { checklistId: checklistIdOf('one'), cohort: 'test', enrollment: enrollmentOf('ada') };
const due = (type: string, input: object) =>
  sweep.due({ type, input } as CommandOf<typeof activateCommands>, installationId);

describe('the sweep of sessions', () => {
  it('has the sessions of a subject looked at when one that was issued can have ended', async () => {
    expect(sweep.delayMs).toBe(DEFAULT_LIMITS.checklists.sessionMs);
    expect(await due('issue-session', of)).toEqual([
      {
        kind: 'command',
        topic: 'activate',
        key: installationId,
        type: 'tidy-sessions',
        input: { enrollment: enrollmentOf('ada') },
      },
    ]);
  });

  it('does nothing after commands that start no session, its own command included', async () => {
    for (const type of ['record-event', 'erase-subject', 'tidy-sessions']) {
      expect(await due(type, of)).toEqual([]);
    }
  });
});
