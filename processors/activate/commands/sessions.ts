import type { ProgressSession } from '../../../schemas/activate/documents.ts';
import { activeSessions, sessionEnd } from '../../../schemas/activate/progress.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../../runtime/fold/results.ts';
import type { ActivateFold } from '../activate-fold.ts';
import { aliveForSubject, NO_CHECKLIST } from '../preconditions.ts';
import { endTokens, sessionsChange, sessionsRow } from '../sessions.ts';

/**
 * Lets one page read a subject's progress for a while. A subject has a handful of sessions at a time: a further one
 * ends the oldest. A session enrolls no subject. A repeat of a key issues a session again if the first one ended
 * before its time: the subject was erased, or further sessions ended it.
 */
export const issueSession: CommandHandler<ActivateFold, 'issue-session'> = {
  reads: ({ input: { checklistId, enrollment } }) => [
    { kind: 'checklist', id: checklistId },
    sessionsRow(enrollment),
  ],
  fold: issue,
  replay(scope, stored) {
    const { row, input, context } = scope;
    if (context.now >= stored.expiresAt) return null;
    const sessions = activeSessions(row('sessions', input.enrollment), context.now);
    return sessions.some(({ digest }) => digest === stored.digest)
      ? null
      : { remember: null, ...issue(scope) };
  },
};

function issue(scope: Scope<ActivateFold, 'issue-session'>): FoldResult<ActivateFold, 'issue-session'> {
  const { row, input, context, limits } = scope;
  const { checklistId, enrollment, origin, digest } = input;
  const alive = aliveForSubject(scope);
  if ('refused' in alive) return refused(alive.refused);
  const checklist = row('checklist', checklistId);
  if (checklist === null) return refused(NO_CHECKLIST);
  if (!checklist.allowedOrigins.includes(origin)) return refused(ORIGIN_LEFT_OUT);
  const stored = row('sessions', enrollment);
  const { sessionMs, sessionsPerSubject } = limits.checklists;
  const session: ProgressSession = { digest, origin, endsAt: context.now + sessionMs };
  const sessions = [...activeSessions(stored, context.now), session].slice(-sessionsPerSubject);
  const ended = (stored?.sessions ?? []).filter((known) => !sessions.includes(known));
  return {
    outcome: { kind: 'done', result: { digest, expiresAt: sessionEnd(session, alive.lifecycle) } },
    put: [sessionsChange(enrollment, sessions)],
    effects: [pointToSubject(scope, session), ...endTokens(ended)],
  };
}

const ORIGIN_LEFT_OUT = refusal('origin_not_allowed', {
  at: 'body.origin',
  seen: 'an origin that the checklist does not allow',
  expected: 'one of the allowedOrigins of its current revision',
});

function pointToSubject(
  { input, context }: Scope<ActivateFold, 'issue-session'>,
  { digest, endsAt }: ProgressSession,
): Effect {
  const { checklistId, enrollment } = input;
  const target = { installationId: context.aggregate, checklistId, enrollment };
  return { kind: 'index', entry: { kind: 'progress-token', digest, target, expiresAt: endsAt } };
}

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
