import { activeSessions } from '../../../schemas/activate/progress.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { sessionsChange, sessionsRow } from '../sessions.ts';

/** Strikes ended sessions off a subject's list. They have counted for nothing since their end. */
export const tidySessions: CommandHandler<ActivateFold, 'tidy-sessions'> = {
  reads: ({ input: { enrollment } }) => [sessionsRow(enrollment)],
  fold({ row, input, context }) {
    const { enrollment } = input;
    const stored = row('sessions', enrollment);
    if (stored === null) return DONE_UNREMEMBERED;
    const sessions = activeSessions(stored, context.now);
    if (sessions.length === 0) return { ...DONE_UNREMEMBERED, remove: [sessionsRow(enrollment)] };
    if (sessions.length === stored.sessions.length) return DONE_UNREMEMBERED;
    return { ...DONE_UNREMEMBERED, put: [sessionsChange(enrollment, sessions)] };
  },
};
