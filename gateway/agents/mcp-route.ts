import type { IncomingMessage } from 'node:http';
import { mcpAnswerSchema, mcpMessageSchema } from '../../schemas/agents/http.ts';
import type { ToolCaller } from '../../schemas/mcp/call-tool.ts';
import type { ToolOperation } from '../../schemas/mcp/tool.ts';
import { MCP_PATH } from '../http/callers/challenge.ts';
import { refusalOf } from '../http/failures.ts';
import { audience, json } from '../http/routing/audience.ts';
import { answerInside, type OuterContext } from '../http/routing/inner-request.ts';
import type { Route } from '../http/routing/route.ts';

/** An ended workspace still answers: each tool then says why it refuses, and what to do next. */
const client = audience({
  host: 'base',
  principal: 'project',
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  noStore: true,
  sameHost: true,
  prefix: MCP_PATH,
});

/**
 * POST `/mcp`: one message of the Model Context Protocol (Streamable HTTP, without sessions).
 *
 * @param routes returns the route table, whose operations the tools call
 */
export function mcpRoute(routes: () => readonly Route[]): Route {
  return client.post('', {
    name: 'callMcp',
    summary: 'Send a message of the Model Context Protocol',
    description:
      'Answers one message of the Model Context Protocol: Streamable HTTP without sessions, one message for each request, always in JSON. The headers `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` repeat facts of the message for clients of 2026-07-28. A message that the protocol does not know gets an error of JSON-RPC instead of the error of this interface.',
    body: json(mcpMessageSchema, 'configurationBytes'),
    success: {
      status: 200,
      schema: mcpAnswerSchema,
      description: 'The answer of the protocol',
      accepted: 'A notification was accepted',
    },
    errors: [],
    async handle(context) {
      const { headers, body: message, services } = context;
      const request = {
        url: `${services.hosts.base}${MCP_PATH}`,
        headers: protocolHeaders(headers),
        message,
      };
      // Imported with the first message: most processes never get one, and its library takes memory.
      const { answerMessage } = await import('./mcp-server.ts');
      return await answerMessage(request, callerOf(context, routes()));
    },
  });
}

/** The headers in which a client repeats facts of its message. */
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

function protocolHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const given = PROTOCOL_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

/** Calls operations as the caller of the message. */
function callerOf(context: OuterContext, routes: readonly Route[]): ToolCaller {
  return {
    call: async (operation, { params, body } = {}) => {
      const { installationId = '' } = context.workspace ?? {};
      const route = routeOf(operation, routes);
      return await answerInside(route, context, {
        params: operation.path.includes('/:installationId/') ? { ...params, installationId } : { ...params },
        body,
      });
    },
    failureOf: (error) => {
      const refusal = refusalOf(error);
      return refusal === null ? null : { refusal, requestId: context.requestId };
    },
  };
}

function routeOf({ method, path }: ToolOperation, routes: readonly Route[]): Route {
  const route = routes.find(
    (each) => each.method === method && each.path === path && (each.host === 'base' || each.host === 'any'),
  );
  if (route === undefined) throw new Error(`calling a tool: the operation ${method} ${path} is missing`);
  return route;
}
