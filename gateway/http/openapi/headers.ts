import { EXAMPLES } from '../../../schemas/base/examples.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';

/** Headers of answers, which operations refer to. */
export const HEADERS: JsonObject = {
  'X-Request-Id': {
    description: 'The id of this request in logs and errors.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9A-Za-z]{24}$', examples: [EXAMPLES.requestId] },
  },
  ETag: {
    description: 'The version of this answer, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', examples: [EXAMPLES.etag] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt. Absent where waiting does not help.',
    required: false,
    schema: { type: 'integer', minimum: 1, examples: [30] },
  },
  Link: {
    description: 'The documentation of the error code, with `rel="help"`.',
    required: true,
    schema: { type: 'string', examples: ['<http://127.0.0.1:8787/docs/errors#not_found>; rel="help"'] },
  },
  'RateLimit-Policy': {
    description:
      'The quotas of the key, as draft-ietf-httpapi-ratelimit-headers writes them: `q` calls in `w` seconds.',
    required: true,
    schema: { type: 'string', examples: ['"minute";q=50;w=60, "month";q=1000;w=2592000'] },
  },
  RateLimit: {
    description: 'What is left of these quotas: `r` calls, and `t` seconds until they start again.',
    required: true,
    schema: { type: 'string', examples: ['"minute";r=49;t=42, "month";r=999;t=1728000'] },
  },
};

export const REQUEST_ID_HEADER = refersToHeader('X-Request-Id');
export const ETAG_HEADER = refersToHeader('ETag');
export const RETRY_AFTER_HEADER = refersToHeader('Retry-After');
export const HELP_HEADER = refersToHeader('Link');
export const QUOTA_HEADERS = { ...refersToHeader('RateLimit-Policy'), ...refersToHeader('RateLimit') };

function refersToHeader(name: string): JsonObject {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}
