import { serviceError } from '../../schemas/base/errors.ts';
import type { ConsolePrincipal } from '../route.ts';

/**
 * An owner action: of an owner or admin (contract "People"). The fold behind it checks the role once more where the
 * answer must hold at the moment of the change.
 *
 * @throws {ServiceError} `forbidden` for a member.
 */
export function requireOwnerOrAdmin(principal: ConsolePrincipal): void {
  if (principal.role !== 'member') return;
  throw serviceError('forbidden', 'Only an owner or admin of the organization may do this.');
}
