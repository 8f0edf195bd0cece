import { refusal } from '../../schemas/base/errors.ts';
import type { ImportDocument, ImportSession, ImportsRows } from '../../schemas/imports/documents.ts';
import { capabilityEnd } from '../../schemas/imports/status.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { RowChange, Scope } from '../runtime/fold/fold.ts';
import type { ImportsFold } from './imports-fold.ts';

type SessionScope = Pick<Scope<ImportsFold>, 'root' | 'row' | 'context'>;

export const SESSION_ENDED = refusal('unauthorized', {
  at: 'header.Authorization',
  seen: 'a browser session that has ended',
  expected: 'an open one; mint a new session',
});

/** The row with a schema's browser sessions. */
export function sessionsRow(schemaId: string): RowKey & { readonly kind: 'schema-sessions' } {
  return { kind: 'schema-sessions', id: schemaId };
}

/** The sessions of a schema that have not ended, the oldest first. Takes {@link sessionsRow}. */
export function activeSessions({ row, root, context }: SessionScope, schemaId: string): ImportSession[] {
  const { lifecycle } = root;
  if (lifecycle === null) return [];
  const sessions = row('schema-sessions', schemaId)?.sessions ?? [];
  return sessions.filter((session) => capabilityEnd(session, lifecycle) > context.now);
}

/** The active session with this digest, or null. */
export function findSession(scope: SessionScope, schemaId: string, digest: string): ImportSession | null {
  return activeSessions(scope, schemaId).find((session) => session.digest === digest) ?? null;
}

/** The session that made an import, if it is still active. */
export function owningSession(
  scope: SessionScope,
  { schemaId, session }: ImportDocument,
): ImportSession | null {
  return session === null ? null : findSession(scope, schemaId, session.digest);
}

/** The change that stores a schema's sessions. */
export function sessionsChange(schemaId: string, sessions: ImportSession[]): RowChange<ImportsRows> {
  return { ...sessionsRow(schemaId), document: { sessions } };
}
