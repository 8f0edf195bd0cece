import { digestsEqual } from '../../../schemas/base/digest.ts';
import type { PrincipalOf } from '../../principals.ts';
import { type ImportReader, type LoadedImport, loadImport } from '../load-import.ts';

/**
 * An import that the browser session has made itself.
 *
 * @throws {ServiceError} `not_found` for any other one, `erased` for one that was.
 */
export async function loadOwnImport(
  services: ImportReader,
  { sessionDigest, workspace }: PrincipalOf<'session'>,
  importId: string,
): Promise<LoadedImport> {
  return await loadImport(
    services,
    workspace,
    importId,
    ({ session }) => session !== null && digestsEqual(session.digest, sessionDigest),
  );
}

/** A key that only this session can repeat: what two browsers call alike has nothing to do with each other. */
export function sessionKey({ sessionDigest }: PrincipalOf<'session'>, idempotencyKey: string): string {
  return `${sessionDigest}/${idempotencyKey}`;
}
