import { mcpAnswerSchema, mcpMessageSchema, protectedResourceSchema } from '../../schemas/agents/http.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';

const BASE = 'https://api.example.com';
const CREDENTIAL_REQUEST = {
  method: 'POST' as const,
  url: `${BASE}/v1/agent/workspaces`,
  credential: 'credential',
};

/** The texts about what leads agents to the interface. */
export const agentDocumentation: ProductDocumentation = {
  tag: {
    name: 'Agents',
    description:
      'How an agent that knows only the base address finds its way and gets a credential, and the tools of the Model Context Protocol.',
  },
  parameters: {},
  schemas: [
    nameSchema(
      'ProtectedResource',
      protectedResourceSchema,
      'The metadata of a protected resource (RFC 9728). The service has no authorization server.',
      {
        resource: BASE,
        resource_name: 'svc',
        resource_documentation: `${BASE}/llms.txt`,
        bearer_methods_supported: ['header'],
        credential_request: CREDENTIAL_REQUEST,
      },
      {
        resource: 'The address that the metadata is about.',
        resource_name: 'The name of the service.',
        resource_documentation: 'The guide for agents.',
        bearer_methods_supported: 'The ways to present a credential (RFC 6750).',
      },
    ),
    nameSchema(
      'CredentialRequest',
      protectedResourceSchema.shape.credential_request,
      'The request that makes a workspace and its credential. It needs no account.',
      CREDENTIAL_REQUEST,
      {
        method: 'The HTTP method.',
        url: 'The address.',
        credential: 'The member of the answer that is the credential.',
      },
    ),
    nameSchema(
      'McpMessage',
      mcpMessageSchema,
      'A message of the Model Context Protocol (JSON-RPC 2.0): a request or a notification.',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'discover_limits', arguments: {} } },
      {
        jsonrpc: 'The version of JSON-RPC.',
        id: 'The id of a request, which the answer repeats. A notification has none.',
        method: 'The method of the protocol, such as `tools/list` or `tools/call`.',
        params: 'The parameters of the method.',
      },
    ),
    nameSchema(
      'McpAnswer',
      mcpAnswerSchema,
      'The answer to a request of the Model Context Protocol.',
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{}' }] } },
      {
        jsonrpc: 'The version of JSON-RPC.',
        id: 'The id of the request.',
        result: 'The result of the method. That of a tool which refuses has `isError`.',
        error: 'The error, if the message is no request that the server knows.',
      },
    ),
  ],
  operations: {
    readProtectedResource: {
      description:
        'Returns the metadata of the requests of agents (RFC 9728). The `WWW-Authenticate` header of each 401 of an agent leads here.',
    },
    readMcpResource: {
      description:
        'Returns the metadata of the endpoint of the Model Context Protocol (RFC 9728). The `WWW-Authenticate` header of its 401 leads here.',
    },
    callMcp: {
      description:
        'Answers one message of the Model Context Protocol: Streamable HTTP without sessions, one message for each request, always in JSON. The headers `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` repeat facts of the message for clients of 2026-07-28. A message that the protocol does not know gets an error of JSON-RPC instead of the error of this interface.',
    },
  },
};
