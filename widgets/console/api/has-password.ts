import type { Session } from './session.ts';

/**
 * True if the person has a password here. Without one, an identity provider signs the person in. A service of the release
 * before does not say so.
 */
export function hasPassword(person: Partial<Pick<Session['user'], 'hasPassword'>>): boolean {
  return person.hasPassword ?? true;
}
