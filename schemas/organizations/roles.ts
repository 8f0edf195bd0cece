import type { Role } from './documents.ts';

/**
 * Whether somebody of one role may invite, change or remove somebody of another (infra/docs/reference/people.md#roles): an
 * owner everybody, an admin everybody but owners, a member nobody.
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
