import { idempotencyKeySchema } from '../../schemas/base/command.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { parseInput } from '../../schemas/base/validation.ts';
import { type CheckRequest, checkRequestSchema } from '../../schemas/limiter/http.ts';
import { checkContentType, decodeText, readBytes } from '../http/body/body.ts';
import { parseStrictJson } from '../http/body/strict-json.ts';
import { singleHeader } from '../http/headers.ts';
import type { DirectExchange } from '../http/route.ts';
import type { AskedCheck } from './checker.ts';

/**
 * Parses the body of a check.
 *
 * @throws {ServiceError} `bad_request` for every fault: this interface has no other code for them
 */
export async function readCheck(exchange: DirectExchange, bytesMax: number): Promise<AskedCheck> {
  try {
    // A body without a declared type is read as what all bodies here are.
    if (exchange.request.headers['content-type'] !== undefined) {
      checkContentType(exchange.request, 'application/json');
    }
    const text = decodeText(await readBytes(exchange, bytesMax));
    const request = parseInput(checkRequestSchema, parseStrictJson(text), 'body');
    const { namespace, identifier, limit, window: windowMs, cost } = request;
    return { namespace, identifier, limit, windowMs, cost, idempotency: idempotencyOf(exchange, request) };
  } catch (error) {
    if (error instanceof ServiceError) throw new ServiceError({ ...error.refusal, code: 'bad_request' });
    throw error;
  }
}

function idempotencyOf({ request }: DirectExchange, asked: CheckRequest): AskedCheck['idempotency'] {
  const header = singleHeader(request, 'idempotency-key');
  if (header === null) return null;
  if (header === 'repeated') {
    throw serviceError('bad_request', {
      at: 'header.Idempotency-Key',
      seen: 'more than one',
      expected: 'one',
    });
  }
  const key = parseInput(idempotencyKeySchema, header, 'header.Idempotency-Key');
  const { namespace, identifier, limit, window: windowMs, cost } = asked;
  const input = JSON.stringify([namespace, identifier, limit, windowMs, cost]);
  return { digest: sha256Hex(key), inputDigest: sha256Hex(input) };
}
