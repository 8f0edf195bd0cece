import type { Role } from '../../schemas/organizations/documents.ts';

// The three lines of the role matrix (contract "People"); a route names one of them.

/** Metadata and counts. */
export const EVERY_MEMBER: readonly Role[] = ['owner', 'admin', 'member'];

/** What the specification calls an owner action: private rows, approvals, secrets, whatever changes something. */
export const OWNER_OR_ADMIN: readonly Role[] = ['owner', 'admin'];

/** What cannot be undone or reaches beyond the organization's daily work. */
export const OWNER_ONLY: readonly Role[] = ['owner'];
