import { z } from 'zod';
import { textSchema } from '../base/text.ts';

const BASE = 'https://api.example.com';

const credentialRequestSchema = z
  .strictObject({
    method: z.literal('POST'),
    url: z.url().meta({ example: `${BASE}/v1/agent/workspaces` }),
    credential: z.string().meta({
      description: 'The member of the answer that is the credential.',
      example: 'credential',
    }),
  })
  .meta({
    id: 'CredentialRequest',
    description: 'The request that makes a workspace and its credential. It needs no account.',
  });

/**
 * Metadata of a protected resource (RFC 9728, section 2). `authorization_servers` is left out: the service has none.
 * `credential_request` is an extension of this service, which the RFC allows.
 */
export const protectedResourceSchema = z
  .strictObject({
    resource: z.url().meta({ description: 'The address that the metadata is about.', example: BASE }),
    resource_name: z.string().meta({ description: 'The name of the service.', example: 'svc' }),
    resource_documentation: z
      .url()
      .meta({ description: 'The guide for agents.', example: `${BASE}/llms.txt` }),
    bearer_methods_supported: z
      .array(z.literal('header'))
      .describe('The ways to present a credential (RFC 6750).'),
    credential_request: credentialRequestSchema,
  })
  .meta({
    id: 'ProtectedResource',
    description: 'The metadata of a protected resource (RFC 9728). The service has no authorization server.',
  });

export type ProtectedResource = z.infer<typeof protectedResourceSchema>;

/** Characters of the method of a message. */
const METHOD_CHARACTERS_MAX = 200;

const jsonrpc = z.literal('2.0').describe('The version of JSON-RPC.');

/** One message, never a batch. The library of the protocol reads `params`. */
export const mcpMessageSchema = z
  .strictObject({
    jsonrpc,
    id: z.union([z.string(), z.int()]).optional().meta({
      description: 'The id of a request, which the answer repeats. A notification has none.',
      example: 1,
    }),
    method: textSchema({ min: 1, max: METHOD_CHARACTERS_MAX }).meta({
      description: 'The method of the protocol, such as `tools/list` or `tools/call`.',
      example: 'tools/call',
    }),
    params: z
      .looseObject({})
      .optional()
      .meta({
        description: 'The parameters of the method.',
        example: { name: 'discover_limits', arguments: {} },
      }),
  })
  .meta({
    id: 'McpMessage',
    description: 'A message of the Model Context Protocol (JSON-RPC 2.0): a request or a notification.',
  });

export type McpMessage = z.infer<typeof mcpMessageSchema>;

export const mcpAnswerSchema = z
  .looseObject({
    jsonrpc,
    id: z
      .union([z.string(), z.int(), z.null()])
      .optional()
      .meta({ description: 'The id of the request.', example: 1 }),
    result: z
      .looseObject({})
      .optional()
      .meta({
        description: 'The result of the method. That of a tool which refuses has `isError`.',
        example: { content: [{ type: 'text', text: '{}' }] },
      }),
    error: z
      .looseObject({ code: z.int(), message: z.string() })
      .optional()
      .describe('The error, if the message is not a request that the server knows.'),
  })
  .meta({
    id: 'McpAnswer',
    description: 'The answer to a request of the Model Context Protocol.',
  });
