import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { z } from 'zod';
import { type McpMessage, mcpAnswerSchema } from '../../schemas/agents/http.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { callTool, findTool, TOOL_LIST, type ToolCaller } from '../../schemas/mcp/call-tool.ts';
import { INSTRUCTIONS, SERVER_INFO } from '../../schemas/mcp/server.ts';

/** A message of a client, and the headers of the protocol that came with it. */
export interface McpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: McpMessage;
}

/** The answer to a message: JSON, or nothing for a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: JsonObject;
}

/** A server of one request asks its client for nothing, so it validates nothing. One for all saves the set-up of each. */
const VALIDATOR = new AjvJsonSchemaValidator();

/** The content types that a client of the protocol accepts. The answer is always JSON. */
const ACCEPTED = 'application/json, text/event-stream';

/**
 * Answers one message of the Model Context Protocol. Each message has a separate server, so there are no
 * sessions, and any process can answer. Clients of 2025 get the same tools as those of 2026-07-28.
 *
 * @throws whatever the caller of the tools does not know as a refusal
 */
export async function answerMessage(
  { url, headers, message }: McpRequest,
  caller: ToolCaller,
): Promise<McpAnswer> {
  const request = new Request(url, {
    method: 'POST',
    headers: { ...headers, accept: ACCEPTED, 'content-type': 'application/json' },
  });
  const failures: unknown[] = [];
  const server = createServer(caller, (error) => failures.push(error));
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(server, request, message)
    : await createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 }).fetch(
        request,
        { parsedBody: message },
      );
  const text = await response.text();
  if (failures.length > 0) throw failures[0];
  return { status: response.status, ...(text === '' ? {} : { body: withPlainError(JSON.parse(text)) }) };
}

/** A message of the library for parameters of a wrong form: its list of issues, as JSON. */
const ISSUES = /^(?:Invalid \S+ request: )?(\[\n[\s\S]*\])$/;

const issuesSchema = z.array(
  z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
);

/** Says in words which parameter has a wrong form, with the code of JSON-RPC for it. */
function withPlainError(answer: JsonObject): JsonObject {
  const { error } = mcpAnswerSchema.parse(answer);
  const [, list] = ISSUES.exec(error?.message ?? '') ?? [];
  if (list === undefined) return answer;
  const issues = issuesSchema.parse(JSON.parse(list));
  const faults = issues.map(
    ({ path, message }) => `${path.join('.')}: ${message.replace('Invalid input: ', '')}`,
  );
  return { ...answer, error: { code: ProtocolErrorCode.InvalidParams, message: `${faults.join('; ')}.` } };
}

async function answerLegacy(server: Server, request: Request, message: McpMessage): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    keepAliveMs: 0,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** @param fail receives an error that must not become an answer of the protocol, which would show its message */
function createServer(caller: ToolCaller, fail: (error: unknown) => void): Server {
  const server = new Server(
    { ...SERVER_INFO },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOL_LIST] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = findTool(params.name);
    if (tool === null) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool. tools/list names all of them.');
    }
    try {
      return await callTool(tool, params.arguments, caller);
    } catch (error) {
      fail(error);
      return { content: [], isError: true };
    }
  });
  return server;
}
