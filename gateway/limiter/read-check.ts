import type { z } from 'zod';
import { idempotencyKeySchema } from '../../schemas/base/command.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { type Refusal, ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { parseInput } from '../../schemas/base/validation.ts';
import {
  type CheckRequest,
  checkRequestSchema,
  checksRequestSchema,
  eachListSchema,
  independentCheckSchema,
} from '../../schemas/limiter/http.ts';
import type { AskedCheck, CheckEntry } from '../../topics/ports/limiter.ts';
import { checkContentType, decodeText, readBytes } from '../http/body/body.ts';
import { parseStrictItems, parseStrictJson } from '../http/body/strict-json.ts';
import { singleHeader } from '../http/headers.ts';
import type { DirectExchange } from '../http/routing/route.ts';
import type { AskedChecks } from './checker.ts';

/** Parses the body of a check. @throws {ServiceError} as {@link readBody} does */
export async function readCheck(exchange: DirectExchange, bytesMax: number): Promise<AskedCheck> {
  const { asked, key } = await readBody(exchange, bytesMax, checkRequestSchema);
  return { ...entryOf(asked), idempotency: key === null ? null : idempotencyOf(key, asked) };
}

/** The same for both routes with checks that are decided alone, so that one can repeat the other. */
function idempotencyOf(key: string, asked: CheckRequest): NonNullable<AskedCheck['idempotency']> {
  return { digest: sha256Hex(key), inputDigest: digestOf(membersOf(asked)) };
}

/** Parses the body of a check of several limits. @throws {ServiceError} as {@link readBody} does */
export async function readChecks(exchange: DirectExchange, bytesMax: number): Promise<AskedChecks> {
  const { asked, key } = await readBody(exchange, bytesMax, checksRequestSchema);
  const { checks } = asked;
  // No key of the other route has this form, so each has its own.
  const idempotency =
    key === null
      ? null
      : { digest: sha256Hex(`checks\n${key}`), inputDigest: digestOf(checks.map(membersOf)) };
  return { entries: checks.map(entryOf), idempotency };
}

/** A check that is decided, or why its entry is refused. */
export type ReadEntry = AskedCheck | Refusal;

/** Parses the body of independent checks. @throws {ServiceError} `bad_request` for faults outside of the entries */
export async function readEach(exchange: DirectExchange, bytesMax: number): Promise<readonly ReadEntry[]> {
  return await asBadRequest(async () => {
    const { value, faults } = parseStrictItems(await readText(exchange, bytesMax));
    const { checks } = parseInput(eachListSchema, value, 'body');
    return checks.map((entry, index) => readEntry(entry, faults.get(index)));
  });
}

function readEntry(entry: unknown, fault: unknown): ReadEntry {
  try {
    if (fault !== undefined) throw fault;
    const asked = parseInput(independentCheckSchema, entry, 'body');
    const { idempotencyKey: key } = asked;
    return { ...entryOf(asked), idempotency: key === undefined ? null : idempotencyOf(key, asked) };
  } catch (error) {
    if (error instanceof ServiceError) return error.refusal;
    throw error;
  }
}

/**
 * Parses a body and the `Idempotency-Key`.
 *
 * @throws {ServiceError} `bad_request` for every fault: this interface has no other code for them
 */
async function readBody<Asked>(exchange: DirectExchange, bytesMax: number, schema: z.ZodType<Asked>) {
  return await asBadRequest(async () => {
    const text = await readText(exchange, bytesMax);
    return { asked: parseInput(schema, parseStrictJson(text), 'body'), key: idempotencyKeyOf(exchange) };
  });
}

async function asBadRequest<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError) throw new ServiceError({ ...error.refusal, code: 'bad_request' });
    throw error;
  }
}

async function readText(exchange: DirectExchange, bytesMax: number): Promise<string> {
  // A body without a declared type is read as what all bodies here are.
  if (exchange.request.headers['content-type'] !== undefined) {
    checkContentType(exchange.request, 'application/json');
  }
  return decodeText(await readBytes(exchange, bytesMax));
}

function entryOf({ namespace, identifier, limit, window: windowMs, cost }: CheckRequest): CheckEntry {
  return { namespace, identifier, limit, windowMs, cost };
}

/** The members of a check in the order in which every release digests them: gateways of two versions answer a repeat alike. */
function membersOf({ namespace, identifier, limit, window, cost }: CheckRequest): readonly unknown[] {
  return [namespace, identifier, limit, window, cost];
}

function digestOf(input: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(input));
}

function idempotencyKeyOf({ request }: DirectExchange): string | null {
  const header = singleHeader(request, 'idempotency-key');
  if (header === null) return null;
  if (header === 'repeated') {
    throw serviceError('bad_request', {
      at: 'header.Idempotency-Key',
      seen: 'more than one',
      expected: 'one',
    });
  }
  return parseInput(idempotencyKeySchema, header, 'header.Idempotency-Key');
}
