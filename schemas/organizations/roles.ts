import type { Role } from './documents.ts';

/**
 * True if a person of one role may invite, change or remove a person of another
 * (infra/docs/reference/people.md#roles). An owner manages all roles, an admin all roles but owners, and a member
 * none.
 */
export function mayManage(actor: Role, subject: Role): boolean {
  switch (actor) {
    case 'owner':
      return true;
    case 'admin':
      return subject !== 'owner';
    case 'member':
      return false;
  }
}
