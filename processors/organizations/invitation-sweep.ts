import { DAY_MS } from '../../schemas/base/time.ts';
import type { Limits } from '../../schemas/limits.ts';
import { organizationsCommands } from '../../schemas/organizations/commands.ts';
import { commandTo } from '../runtime/fold/results.ts';
import type { Sweep } from '../runtime/sweeps/sweeper.ts';

/** Time after the end of a code in which a person who could not join may still give the invitation back. */
const RELEASE_MS = DAY_MS;

/** Removes invitations once their codes have ended. */
export function invitationSweep({ console }: Limits): Sweep<typeof organizationsCommands> {
  return {
    topic: 'organizations',
    commands: organizationsCommands,
    name: 'invitations',
    types: ['invite'],
    delayMs: console.invitationMs + RELEASE_MS,
    due: async (command, organizationId) => {
      if (command.type !== 'invite') return [];
      const { invitationId } = command.input;
      return [
        commandTo({
          topic: 'organizations',
          key: organizationId,
          type: 'tidy-invitation',
          input: { invitationId },
        }),
      ];
    },
  };
}
