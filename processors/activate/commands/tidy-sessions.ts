import { activeSessions } from '../../../schemas/activate/progress.ts';
import { sessionsChange, sessionsRow } from '../sessions.ts';
import { DROPPED, type Step } from '../step.ts';

/** Strikes ended sessions off a subject's list. They have counted for nothing since their end. */
export const tidySessions: Step<'tidy-sessions'> = {
  reads: ({ enrollment }) => [sessionsRow(enrollment)],
  fold({ view, input, context }) {
    const { enrollment } = input;
    const stored = view.row('sessions', enrollment);
    if (stored === null) return DROPPED;
    const sessions = activeSessions(stored, context.now);
    if (sessions.length === 0) return { ...DROPPED, remove: [sessionsRow(enrollment)] };
    if (sessions.length === stored.sessions.length) return DROPPED;
    return { ...DROPPED, put: [sessionsChange(enrollment, sessions)] };
  },
};
