// Limits the requests of web frameworks. The types name the few methods that are used, so that no framework is imported.

import type { Check, Decision } from './check.ts';
import { SvcError } from './error.ts';
import type { Limiter } from './limiter.ts';
import { USED_UP } from './no-answer.ts';
import { wholeNumber } from './options.ts';

/** A limit for requests of one framework. */
export interface RequestLimit<Request> extends Omit<Check, 'identifier'> {
  /** Returns the user or address that is limited, such as the id of the signed-in user. */
  readonly identifier: (request: Request) => string | Promise<string>;
}

/** The longest window of the service: 31 days. */
export const WINDOW_MS_MAX: number = 2_678_400_000;

/** The part of a limiter that is used. */
export type Checks = Pick<Limiter, 'check' | 'checkAll'>;

/** One limit or several, at most ten. */
export type RequestLimits<Request> = readonly [RequestLimit<Request>, ...RequestLimit<Request>[]];

/** The part of a response of Node, and so of Express, that is used. */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent?: boolean;
  readonly writableEnded?: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** The part of a reply of Fastify that is used. */
export interface FastifyReply {
  header(name: string, value: string): unknown;
  code(status: number): { send(body: string): unknown };
}

/** The part of a request of Fastify that names its sender. Annotate `identifier` to use more of it. */
export interface FastifyRequest {
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The part of a context of Hono that is used, and that names the sender. `honoLimit<Context>` has all of it. */
export interface HonoContext {
  readonly req: {
    header(name: string): string | undefined;
    // biome-ignore lint/suspicious/noExplicitAny: Hono itself types a body like this.
    json<Body = any>(): Promise<Body>;
  };
  res: Response | undefined;
}

/**
 * Returns middleware for Express, Connect, and every other server with `(request, response, next)`, such as `node:http`. It sets the
 * `RateLimit` headers, and answers a denied request with 429, or with 503 if a quota of the key is used up, or if there was no answer
 * and `onNoAnswer` is `deny`. With several limits, a request counts against all of them or none, and the headers are about the
 * strictest one. If the check throws, `next` gets an error without a status, whose `cause` is the `SvcError`.
 *
 * @throws {TypeError} if a number of a limit is wrong
 */
export function expressLimit<Request>(
  limiter: Checks,
  ...limits: RequestLimits<Request>
): (request: Request, response: NodeResponse, next: (error?: unknown) => void) => Promise<void> {
  const answerTo = answering(limiter, limits);
  return async (request, response, next) => {
    try {
      const { headers, refusal } = await answerTo(request);
      // Something else may have answered meanwhile, such as a middleware for timeouts.
      if (response.headersSent || response.writableEnded) return;
      for (const [name, value] of headers) response.setHeader(name, value);
      if (refusal !== null) {
        response.statusCode = refusal.status;
        response.end(refusal.body);
        return;
      }
    } catch (error) {
      next(error);
      return;
    }
    next();
  };
}

/** Returns a hook for Fastify, for example of `onRequest` or `preHandler`. It answers as {@link expressLimit} does. */
export function fastifyLimit<Request extends FastifyRequest>(
  limiter: Checks,
  ...limits: RequestLimits<Request>
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  const answerTo = answering(limiter, limits);
  return async (request, reply) => {
    const { headers, refusal } = await answerTo(request);
    for (const [name, value] of headers) reply.header(name, value);
    if (refusal === null) return;
    reply.code(refusal.status).send(refusal.body);
    return reply;
  };
}

/** Returns middleware for Hono. It answers as {@link expressLimit} does. */
export function honoLimit<Context extends HonoContext>(
  limiter: Checks,
  ...limits: RequestLimits<Context>
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  const answerTo = answering(limiter, limits);
  return async (context, next) => {
    const { headers, refusal } = await answerTo(context);
    if (refusal !== null) return new Response(refusal.body, { status: refusal.status, headers });
    await next();
    const { res } = context;
    if (res === undefined) return undefined;
    const answer = withHeaders(res, headers);
    if (answer !== res) {
      // Without this, Hono copies the headers of the answer before into this one, and old versions change that one.
      context.res = undefined;
      context.res = answer;
    }
    return undefined;
  };
}

/** Wraps a handler with `(request, …) => Response`. */
export type WrapHandler<Asked> = <Others extends readonly unknown[]>(
  handler: (request: Asked, ...others: Others) => Response | Promise<Response>,
) => (request: Asked, ...others: Others) => Promise<Response>;

/**
 * Returns a wrapper for handlers with `(request, …) => Response`, such as those of Next.js and Cloudflare Workers:
 * `fetchLimit(limits, { … })(handler)`. It answers as {@link expressLimit} does.
 */
export function fetchLimit<Asked = Request>(
  limiter: Checks,
  ...limits: RequestLimits<Asked>
): WrapHandler<Asked> {
  const answerTo = answering(limiter, limits);
  return (handler) =>
    async (request, ...others) => {
      const { headers, refusal } = await answerTo(request);
      if (refusal !== null) return new Response(refusal.body, { status: refusal.status, headers });
      return withHeaders(await handler(request, ...others), headers);
    };
}

/** Sets headers of an answer. One of `fetch` or `Response.redirect` is frozen, and a copy takes its place. */
function withHeaders(response: Response, headers: Answer['headers']): Response {
  try {
    for (const [name, value] of headers) response.headers.set(name, value);
    return response;
  } catch {
    // The answer to an upgrade has no copy.
    if (response.status < 200) return response;
    const copy = new Response(response.body, response);
    for (const [name, value] of headers) copy.headers.set(name, value);
    return copy;
  }
}

interface Answer {
  readonly headers: [name: string, value: string][];
  /** Null for a request that is let through. */
  readonly refusal: { readonly status: number; readonly body: string } | null;
}

/** Returns a function that asks about a request. @throws {TypeError} if a number of a limit is wrong */
function answering<Request>(limiter: Checks, limits: RequestLimits<Request>) {
  for (const { limit, window, cost = 1 } of limits) {
    wholeNumber('limit', limit);
    wholeNumber('window', window, 1, WINDOW_MS_MAX);
    wholeNumber('cost', cost, 0);
  }
  return async (request: Request): Promise<Answer> => {
    const asked = await Promise.all(
      limits.map(async ({ identifier, ...check }) => ({ ...check, identifier: await identifier(request) })),
    );
    const [only, another] = asked;
    const isOne = only !== undefined && another === undefined;
    try {
      return answerOf(await (isOne ? limiter.check(only) : limiter.checkAll(asked)));
    } catch (cause) {
      // A framework would take the status of the error for the visitor's, and show its message.
      if (!(cause instanceof SvcError)) throw cause;
      throw new Error(`The rate limiter did not decide about a request: ${cause.code}.`, { cause });
    }
  };
}

function answerOf(decision: Decision): Answer {
  const headers = limitHeaders(decision);
  if (decision.allowed) return { headers, refusal: null };
  const { status, ...error } = refusalOf(decision);
  headers.push(['Content-Type', 'application/json']);
  return { headers, refusal: { status, body: JSON.stringify({ error }) } };
}

function refusalOf({ error, namespace }: Decision) {
  if (error === null) {
    return { status: 429, code: 'rate_limited', message: 'Too many requests.', limit: namespace };
  }
  if (error.status === USED_UP) {
    return { status: 503, code: 'quota_used_up', message: 'The quota of the rate limiter is used up.' };
  }
  const message = 'The limit of this request is not known at the moment.';
  return { status: 503, code: 'unavailable', message };
}

/** The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` of a denial. */
function limitHeaders(decision: Decision): [name: string, value: string][] {
  const { namespace, limit, window, remaining, resetAt, retryAfterMs, allowed } = decision;
  const headers: [string, string][] = [];
  // A namespace with other characters is no string of a structured field (RFC 9651).
  const policy = /^[ !#-[\]-~]*$/.test(namespace) ? `"${namespace}"` : '"limit"';
  headers.push(['RateLimit-Policy', `${policy};q=${limit};w=${Math.ceil(window / 1_000)}`]);
  if (remaining !== null && resetAt !== null) {
    // The two clocks may differ, and a window ends within its length.
    const leftMs = retryAfterMs ?? Math.min(window, Math.max(0, resetAt - Date.now()));
    headers.push(['RateLimit', `${policy};r=${remaining};t=${Math.ceil(leftMs / 1_000)}`]);
  }
  if (!allowed && retryAfterMs !== null)
    headers.push(['Retry-After', String(Math.ceil(retryAfterMs / 1_000))]);
  return headers;
}
