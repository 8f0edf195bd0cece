import { z } from 'zod';
import { textSchema } from '../base/text.ts';

/**
 * Metadata of a protected resource (RFC 9728, section 2). `authorization_servers` is left out: the service has none.
 * `credential_request` is an extension of this service, which the RFC allows.
 */
export const protectedResourceSchema = z.strictObject({
  resource: z.url(),
  resource_name: z.string(),
  resource_documentation: z.url(),
  bearer_methods_supported: z.array(z.literal('header')),
  credential_request: z.strictObject({
    method: z.literal('POST'),
    url: z.url(),
    /** The member of the answer that is the credential. */
    credential: z.string(),
  }),
});

export type ProtectedResource = z.infer<typeof protectedResourceSchema>;

/** Characters of the method of a message. */
const METHOD_CHARACTERS_MAX = 200;

/**
 * A message of the Model Context Protocol: a request or, without `id`, a notification (JSON-RPC 2.0). Never a batch. The
 * protocol allows a text or a whole number as `id`. Its library reads `params`.
 */
export const mcpMessageSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: textSchema({ min: 1, max: METHOD_CHARACTERS_MAX }),
  params: z.looseObject({}).optional(),
});

export type McpMessage = z.infer<typeof mcpMessageSchema>;

/** Its answer: `result`, or `error` where the message is no request of the protocol. */
export const mcpAnswerSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});
