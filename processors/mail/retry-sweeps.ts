import { HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import { mailCommands } from '../../schemas/mail/commands.ts';
import { commandTo } from '../runtime/fold/results.ts';
import type { Sweep } from '../runtime/sweeps/sweeper.ts';

/** The pauses after the first attempts; the last one is that after all others. A sweep adds a minute. */
const PAUSES = [
  { name: 'soon', delayMs: 0 },
  { name: 'later', delayMs: 9 * MINUTE_MS },
  { name: 'hourly', delayMs: HOUR_MS },
] as const;

/** The readers that have postponed mails sent again, each after its pause: a sweep has one delay. */
export const mailRetrySweeps: readonly Sweep<typeof mailCommands>[] = PAUSES.map(
  ({ name, delayMs }, index) => ({
    topic: 'mail',
    commands: mailCommands,
    name,
    types: ['postpone'],
    delayMs,
    due: async (command, key) => {
      if (command.type !== 'postpone') return [];
      const { mailId, attempt } = command.input;
      if (Math.min(attempt, PAUSES.length) !== index + 1) return [];
      return [commandTo({ topic: 'mail', key, type: 'send-again', input: { mailId, attempt: attempt + 1 } })];
    },
  }),
);
