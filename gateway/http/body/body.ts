import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { serviceError } from '../../../schemas/base/errors.ts';
import { singleHeader } from '../headers.ts';
import { askForBody, type Exchange, hasBody } from '../routing/exchange.ts';
import { type Arrival, ArrivingBody, BODY_MS, lateBody } from '../server/arrival.ts';

/**
 * Checks `Content-Type` and `Content-Encoding`. Only uncompressed UTF-8 is accepted, so that a byte limit bounds the
 * text.
 *
 * @throws {ServiceError} `unsupported_media_type`
 */
export function checkContentType(request: IncomingMessage, expected: string): void {
  const header = singleHeader(request, 'content-type');
  if (header === null || header === 'repeated' || !isContentType(header, expected)) {
    const seen = header === null ? 'none' : header === 'repeated' ? 'more than one' : 'another one';
    throw serviceError('unsupported_media_type', {
      at: 'header.Content-Type',
      seen: `${seen}`,
      expected: `${expected} in UTF-8`,
    });
  }
  const encoding = singleHeader(request, 'content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw serviceError('unsupported_media_type', {
      at: 'header.Content-Encoding',
      seen: 'an encoding',
      expected: 'none; send the body uncompressed',
    });
  }
}

function isContentType(header: string, expected: string): boolean {
  // As most callers write it; the parser costs as much as everything else that is done with a short body.
  if (header === expected) return true;
  let type: MIMEType;
  try {
    type = new MIMEType(header);
  } catch {
    return false;
  }
  const charset = type.params.get('charset')?.toLowerCase();
  return type.essence === expected && (charset === undefined || charset === 'utf-8' || charset === 'utf8');
}

/** The parts of an exchange that reading a body needs. */
type Incoming = Pick<Exchange, 'request' | 'response' | 'continued'>;

/**
 * Reads a body of at most `limit` bytes into memory. Stops at the first byte beyond the limit and leaves the
 * connection open, so that an answer gets through. Uses events instead of iteration, which costs several times as
 * much for a short body.
 *
 * @param withinMs time limit for the whole body
 * @throws {ServiceError} `payload_too_large`, or `bad_request` for a body that is too late
 */
export async function readBytes(exchange: Incoming, limit: number, withinMs = BODY_MS): Promise<Buffer> {
  const { request } = exchange;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (!hasBody(request)) return Buffer.alloc(0);
  askForBody(exchange);
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(deadline);
      request.off('data', take).off('end', settle).off('error', settle).off('close', abort);
      request.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) settle(tooLarge(limit));
      else chunks.push(chunk);
    };
    const abort = (): void => settle(new Error('reading a body whose sender went away'));
    const deadline = setTimeout(() => settle(lateBody(withinMs)), withinMs);
    request.on('data', take).on('end', settle).on('error', settle).on('close', abort);
    if (request.destroyed) abort();
  });
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length);
}

/**
 * Collects a body of at most `limit` bytes, piece by piece.
 *
 * @throws {ServiceError} `payload_too_large`.
 */
export async function collectBytes(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * The body piece by piece. Leaving the iteration early keeps the connection open, so that an answer gets through.
 *
 * @throws {ServiceError} when it arrives too late or too slowly.
 */
export async function* bodyStream(exchange: Incoming, arrival: Arrival): AsyncGenerator<Uint8Array, void> {
  if (!hasBody(exchange.request)) return;
  askForBody(exchange);
  const body = new ArrivingBody(exchange.request, arrival);
  try {
    for (let piece = await body.next(); piece !== null; piece = await body.next()) yield piece;
  } finally {
    body.close();
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {ServiceError} `bad_request` for bytes that are not UTF-8, and for none at all. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length === 0)
    throw serviceError('bad_request', { at: 'body', seen: 'nothing', expected: 'a JSON object' });
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw serviceError('bad_request', { at: 'body', seen: 'bytes that are not UTF-8', expected: 'UTF-8' });
  }
}

function tooLarge(limit: number) {
  return serviceError('payload_too_large', {
    at: 'body',
    seen: `more than ${limit} bytes`,
    expected: `at most ${limit} bytes`,
  });
}
