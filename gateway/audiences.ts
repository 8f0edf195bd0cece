import type { Product } from '../schemas/products.ts';
import { audience } from './http/routing/audience.ts';
import { EVERY_MEMBER, OWNER_ONLY, OWNER_OR_ADMIN } from './roles.ts';

// The audiences that products share: who calls, on which host and below which path, and what holds while the workspace is
// paused. A route names its audience and states only what differs. A product has its own ones in `audiences.ts` of its folder.

const AGENT = { host: 'base', principal: 'project', whenPaused: 'allowed', rate: 'management' } as const;

/** The customer's backend or a coding agent, about its workspace as a whole. */
export const agent = audience({ ...AGENT, prefix: '/v1/agent' });

/** The customer's backend or a coding agent, about a product. */
export function agentOf(product: Product) {
  return audience({ ...AGENT, product, prefix: `/v1/installations/:installationId/${product}` });
}

export const INGEST = { host: 'ingest', noStore: true } as const;

/** Pages of the origin that a session is bound to. */
export const PAGE = { ...INGEST, cors: 'session-origin', whenPaused: 'refused', rate: 'none' } as const;

/** A visitor of the console who is not signed in, or need not be. */
export const visitor = audience({
  host: 'console',
  principal: 'none',
  rate: 'management',
  noStore: true,
  prefix: '/v1/console',
});

const PERSON = { principal: 'console', rate: 'management', noStore: true } as const;
const CONSOLE = { ...PERSON, host: 'console', prefix: '/v1/console' } as const;
const DASHBOARD = { ...PERSON, host: 'dashboard', prefix: '/v1' } as const;

/** Every member of the organization, in the console. */
export const member = audience({ ...CONSOLE, roles: EVERY_MEMBER });

/** Owners and admins of the organization, in the console. */
export const owner = audience({ ...CONSOLE, roles: OWNER_OR_ADMIN });

/** Owners of the organization that operates this service. */
export const operator = audience({ ...CONSOLE, roles: OWNER_ONLY, operator: true, prefix: '/v1/ops' });

/** Every member of the organization, in the dashboard of its API keys. */
export const dashboardMember = audience({ ...DASHBOARD, roles: EVERY_MEMBER });

/** Owners and admins of the organization, in the dashboard of its API keys. */
export const dashboardOwner = audience({ ...DASHBOARD, roles: OWNER_OR_ADMIN });

/** People, about one workspace of their organization: a pause does not stop them. */
const WORKSPACE = {
  ...CONSOLE,
  prefix: `${CONSOLE.prefix}/workspaces/:workspaceId`,
  whenPaused: 'allowed',
} as const;
/** Every member looks at what is not private, also after the workspace has ended. */
const LOOKING = { roles: EVERY_MEMBER, whenEnded: 'allowed' } as const;
/** Owners and admins see what is private, and change things. */
const OWNING = { roles: OWNER_OR_ADMIN } as const;

export const workspaceMember = audience({ ...WORKSPACE, ...LOOKING });
export const workspaceOwner = audience({ ...WORKSPACE, ...OWNING });

/** Every member of the organization, about a product of a workspace. */
export function memberOf(product: Product) {
  return audience({ ...WORKSPACE, ...LOOKING, product });
}

/** Owners and admins of the organization, about a product of a workspace. */
export function ownerOf(product: Product) {
  return audience({ ...WORKSPACE, ...OWNING, product });
}
