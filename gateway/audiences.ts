import type { Product } from '../schemas/products.ts';
import { audience } from './http/audience.ts';
import { EVERY_MEMBER, OWNER_ONLY, OWNER_OR_ADMIN } from './people/roles.ts';

// Every audience of the interface: who calls, on which host and below which path, and what holds while the workspace is
// paused. A route names its audience and states only what differs.

const AGENT = { host: 'base', principal: 'project', whenPaused: 'allowed', rate: 'management' } as const;

/** The customer's backend or a coding agent, about its workspace as a whole. */
export const agent = audience({ ...AGENT, prefix: '/v1/agent' });

/** The customer's backend or a coding agent, about imports. */
export const importAgent = agentOf('svcimport');

/** The customer's backend or a coding agent, about onboarding checklists. */
export const checklistAgent = agentOf('svcactivate');

function agentOf(product: Product) {
  return audience({ ...AGENT, product, prefix: `/v1/installations/:installationId/${product}` });
}

const INGEST = { host: 'ingest', noStore: true } as const;

/** The customer's backend with the capability of one import schema. */
export const importBackend = audience({
  ...INGEST,
  principal: 'capability',
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'delivery',
  prefix: '/v1/import',
});

/** Pages of the origin that a session is bound to. */
const PAGE = { ...INGEST, cors: 'session-origin', whenPaused: 'refused', rate: 'none' } as const;
const IMPORT_PAGE = { ...PAGE, product: 'svcimport' } as const;

/** A page that imports one file. */
export const importPage = audience({ ...IMPORT_PAGE, principal: 'session', prefix: '/v1/import/browser' });

/** A page or an agent that sends the bytes of one import. */
export const importUploader = audience({
  ...IMPORT_PAGE,
  principal: 'upload',
  rate: 'upload',
  prefix: '/v1/import/uploads',
});

/** A page that shows the progress of one subject. */
export const progressPage = audience({
  ...PAGE,
  principal: 'progress',
  product: 'svcactivate',
  prefix: '/v1/activate',
});

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

export const importMember = audience({ ...WORKSPACE, ...LOOKING, product: 'svcimport' });
export const importOwner = audience({ ...WORKSPACE, ...OWNING, product: 'svcimport' });

export const checklistMember = audience({ ...WORKSPACE, ...LOOKING, product: 'svcactivate' });
export const checklistOwner = audience({ ...WORKSPACE, ...OWNING, product: 'svcactivate' });
