import type { ActivateRows, ProgressSession } from '../../schemas/activate/documents.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { Effect, RowChange } from '../runtime/fold/fold.ts';

/** The row with the sessions of a subject. */
export function sessionsRow(enrollment: string): RowKey & { readonly kind: 'sessions' } {
  return { kind: 'sessions', id: enrollment };
}

/** The change that stores the sessions of a subject. */
export function sessionsChange(enrollment: string, sessions: ProgressSession[]): RowChange<ActivateRows> {
  return { ...sessionsRow(enrollment), document: { sessions } };
}

/** Ends what leads from tokens to a subject. The sessions' own row decides; this leaves no pointer behind. */
export function endTokens(sessions: readonly ProgressSession[]): Effect[] {
  return sessions.map(({ digest, endsAt }) => ({
    kind: 'index',
    entry: { kind: 'progress-token', digest, target: null, expiresAt: endsAt },
  }));
}
