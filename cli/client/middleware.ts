// Limits the requests of web frameworks. The types name the few methods that are used, so that no framework is imported.
import type { Check, Decision, Limiter } from './limiter.ts';

/** A limit for requests of one framework. */
export interface RequestLimit<Request> extends Omit<Check, 'identifier'> {
  /** Returns the user or address that is limited, such as the id of the signed-in user. */
  readonly identifier: (request: Request) => string | Promise<string>;
}

/** One limit or several, at most ten. */
export type RequestLimits<Request> = readonly [RequestLimit<Request>, ...RequestLimit<Request>[]];

/** The part of a response of Node, and so of Express, that is used. */
export interface NodeResponse {
  statusCode: number;
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

/** The part of a context of Hono that is used, and that names the sender. Annotate `identifier` to use more of it. */
export interface HonoContext {
  readonly req: { header(name: string): string | undefined };
  header(name: string, value: string): void;
}

/**
 * Returns middleware for Express, Connect, and every other server with `(request, response, next)`. It sets the `RateLimit` headers,
 * and answers a denied request with 429, or with 503 if there was no answer and `onNoAnswer` is `deny`. With several limits, a
 * request counts against all of them or none, and the headers are about the strictest one.
 */
export function expressLimit<Request>(limiter: Limiter, ...limits: RequestLimits<Request>) {
  return async (request: Request, response: NodeResponse, next: (error?: unknown) => void): Promise<void> => {
    const answer = await answerTo(limiter, limits, request).catch((error: unknown) => ({ error }));
    if ('error' in answer) return next(answer.error);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.refusal === null) return next();
    response.statusCode = answer.refusal.status;
    response.end(answer.refusal.body);
  };
}

/** Returns a hook for Fastify, for example of `onRequest` or `preHandler`. It answers as {@link expressLimit} does. */
export function fastifyLimit<Request extends FastifyRequest>(
  limiter: Limiter,
  ...limits: RequestLimits<Request>
) {
  return async (request: Request, reply: FastifyReply): Promise<unknown> => {
    const { headers, refusal } = await answerTo(limiter, limits, request);
    for (const [name, value] of headers) reply.header(name, value);
    if (refusal === null) return;
    reply.code(refusal.status).send(refusal.body);
    return reply;
  };
}

/** Returns middleware for Hono. It answers as {@link expressLimit} does. */
export function honoLimit<Context extends HonoContext>(limiter: Limiter, ...limits: RequestLimits<Context>) {
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    const { headers, refusal } = await answerTo(limiter, limits, context);
    if (refusal !== null) return new Response(refusal.body, { status: refusal.status, headers });
    await next();
    // The handler may have made a response by itself.
    for (const [name, value] of headers) context.header(name, value);
    return undefined;
  };
}

interface Answer {
  readonly headers: [name: string, value: string][];
  /** Null for a request that is let through. */
  readonly refusal: { readonly status: number; readonly body: string } | null;
}

async function answerTo<Request>(
  limiter: Limiter,
  limits: RequestLimits<Request>,
  request: Request,
): Promise<Answer> {
  const asked = await Promise.all(
    limits.map(async ({ identifier, ...check }) => ({ ...check, identifier: await identifier(request) })),
  );
  const [only, another] = asked;
  const isOne = only !== undefined && another === undefined;
  const decision = await (isOne ? limiter.check(only) : limiter.checkAll(asked));
  const headers = limitHeaders(decision);
  if (decision.allowed) return { headers, refusal: null };
  const isLimited = decision.error === null;
  const error = isLimited
    ? { code: 'rate_limited', message: 'Too many requests.', limit: decision.namespace }
    : { code: 'unavailable', message: 'The limit of this request is not known at the moment.' };
  headers.push(['Content-Type', 'application/json']);
  return { headers, refusal: { status: isLimited ? 429 : 503, body: JSON.stringify({ error }) } };
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
