import type { Actor } from '../../schemas/base/command.ts';
import type { Principal } from './route.ts';

/** What tells one caller of a kind from another, or null for one without a credential. Never a secret. */
export function principalId(principal: Principal): string | null {
  switch (principal.kind) {
    case 'none':
      return null;
    case 'project':
      return principal.credentialId;
    case 'upload':
      return principal.importId;
    case 'console':
      return principal.userId;
    case 'capability':
    case 'session':
      return principal.capabilityId;
    case 'limiter':
      return principal.keyId;
    case 'progress':
      return principal.enrollment;
  }
}

/** Who acts, as commands carry it. */
export function actorOf(principal: Principal): Actor {
  const kinds = {
    none: 'visitor',
    project: 'agent',
    upload: 'agent',
    console: 'user',
    capability: 'capability',
    session: 'session',
    limiter: 'agent',
    progress: 'visitor',
  } as const;
  return {
    kind: kinds[principal.kind],
    id: principalId(principal) ?? 'anonymous',
    ...(principal.kind === 'console' ? { organizationId: principal.organizationId } : {}),
  };
}

/** The id of a caller for the log: {@link principalId}, but for a page's subject, who is a customer's person. */
export function loggedId(principal: Principal): string | null {
  return principal.kind === 'progress' ? null : principalId(principal);
}
