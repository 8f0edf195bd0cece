import { type ProtectedResource, protectedResourceSchema } from '../../schemas/agents/http.ts';
import { MCP_PATH, PROTECTED_RESOURCE_PATH } from '../http/callers/challenge.ts';
import { GUIDE_PATH } from '../http/pages/pages.ts';
import { defineRoute, type Route, tagged } from '../http/routing/route.ts';
import type { Hosts } from '../services.ts';
import { createWorkspaceRoute } from '../workspaces/operations/create-workspace.ts';
import { mcpRoute } from './mcp-route.ts';

const AGENTS = {
  name: 'Agents',
  description:
    'How an agent that knows only the base address finds its way and gets a credential, and the tools of the Model Context Protocol.',
};

const METADATA = {
  method: 'GET',
  host: 'base',
  principal: 'none',
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: protectedResourceSchema, description: 'The metadata' },
  errors: [],
} as const;

const readProtectedResourceRoute = defineRoute({
  ...METADATA,
  name: 'readProtectedResource',
  summary: 'Discover how to get a credential for the requests of agents',
  description:
    'Returns the metadata of the requests of agents (RFC 9728). The `WWW-Authenticate` header of each 401 of an agent leads here.',
  path: PROTECTED_RESOURCE_PATH,
  handle: async ({ services }) => ({ body: metadataOf('', services.hosts) }),
});

const readMcpResourceRoute = defineRoute({
  ...METADATA,
  name: 'readMcpResource',
  summary: 'Discover how to get a credential for the Model Context Protocol',
  description:
    'Returns the metadata of the endpoint of the Model Context Protocol (RFC 9728). The `WWW-Authenticate` header of its 401 leads here.',
  path: `${PROTECTED_RESOURCE_PATH}${MCP_PATH}`,
  handle: async ({ services }) => ({ body: metadataOf(MCP_PATH, services.hosts) }),
});

/** @param path the path of the resource on the base host */
function metadataOf(path: string, { base }: Hosts): ProtectedResource {
  return {
    resource: `${base}${path}`,
    resource_name: 'svc',
    resource_documentation: `${base}${GUIDE_PATH}`,
    bearer_methods_supported: ['header'],
    credential_request: {
      method: 'POST',
      url: `${base}${createWorkspaceRoute.path}`,
      credential: 'credential',
    },
  };
}

/** Routes by which agents find their way, and the one for their tools. `routes` returns the whole route table. */
export function agentRoutes(routes: () => readonly Route[]): readonly Route[] {
  return tagged(AGENTS, [readProtectedResourceRoute, readMcpResourceRoute, mcpRoute(routes)]);
}
