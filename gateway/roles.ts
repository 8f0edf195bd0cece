import type { Role } from '../schemas/organizations/documents.ts';

// The three lines of the role matrix (infra/docs/reference/people.md#roles). Each console route names one of them.

/** Metadata and counts. */
export const EVERY_MEMBER: readonly Role[] = ['owner', 'admin', 'member'];

/** For routes about private rows, approvals and secrets, and routes that change something. */
export const OWNER_OR_ADMIN: readonly Role[] = ['owner', 'admin'];

/** For routes whose effect cannot be undone, or that concern the whole organization. */
export const OWNER_ONLY: readonly Role[] = ['owner'];
