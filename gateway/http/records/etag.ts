import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { singleHeader } from '../headers.ts';
import type { WholeAnswer } from '../routing/exchange.ts';

/** An entity tag as a list of them has it: weak or strong, in quotes (RFC 9110, 8.8.3). */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * An answer with its `ETag`, a digest of its body; or 304 without a body where the caller has just this answer. Tags are
 * compared weakly, as `If-None-Match` asks for (RFC 9110, 13.1.2).
 */
export function withEtag(
  request: Pick<IncomingMessage, 'headersDistinct'>,
  answer: WholeAnswer,
): WholeAnswer {
  const digest = hash('sha256', JSON.stringify(answer.body), 'base64url');
  const etag = `"${digest}"`;
  const headers = { ...answer.headers, ETag: etag };
  return isNamedBy(singleHeader(request, 'if-none-match'), etag)
    ? { status: 304, headers }
    : { ...answer, headers };
}

/** True if an `If-None-Match` header names an entity tag, compared weakly. */
export function isNamedBy(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  return [...header.matchAll(ENTITY_TAG)].some(([, tag]) => tag === etag);
}
