import { idempotencyKeySchema } from '../../schemas/base/command.ts';
import { ServiceError, serviceError, usedKey } from '../../schemas/base/errors.ts';
import { parseInput, shownName } from '../../schemas/base/validation.ts';
import { type AnyPrincipal, PRINCIPALS, type PrincipalKind } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { bodyStream, decodeText, readBytes } from './body/body.ts';
import { parseStrictJson } from './body/strict-json.ts';
import { checkSameHost } from './browsers/same-host.ts';
import { holderOf } from './callers/known-callers.ts';
import {
  authenticate,
  checkConsoleOrigin,
  checkMediaType,
  checkOwnership,
  checkProduct,
  checkRole,
  checkRoom,
  checkSessionOrigin,
  checkSwitch,
  checkWorkspaceState,
  findOwnWorkspace,
  type GuardDependencies,
  limitByAddress,
  limitByPrincipal,
  type PathParameters,
  requirePrincipal,
} from './guards.ts';
import { singleHeader } from './headers.ts';
import { type Exchange, namesOf } from './routing/exchange.ts';
import { parseQuery } from './routing/query.ts';
import type { Route, RouteContext, RouteSubmit } from './routing/route.ts';
import { type Arrival, COMMON_ARRIVAL, uploadArrival } from './server/arrival.ts';

type Context = RouteContext<PrincipalKind, unknown, unknown, unknown>;

/**
 * Checks a request whose path and method have matched, in one order for all routes
 * (infra/docs/reference/README.md#order-of-checks). The answer names the first fault. The router has already answered 404
 * and 405; the fold checks state and quotas afterwards.
 *
 * @throws {ServiceError} with the refusal; {EngineUnavailableError} when a check cannot be made just now.
 */
export async function admit(
  route: Route,
  exchange: Exchange,
  params: PathParameters,
  dependencies: GuardDependencies,
): Promise<Context> {
  const { services } = dependencies;
  const found = await authenticate(route, exchange, dependencies);
  await limitByAddress(route, exchange, found, services); //              429
  const principal = requirePrincipal(found); //                           401
  exchange.accepted(principal);
  exchange.principal = route.principal;
  exchange.caller = PRINCIPALS[route.principal].idIsPrivate === true ? null : principal.id;
  await limitByPrincipal(route, exchange, principal, services); //        429
  checkConsoleOrigin(route, exchange, dependencies); //                   403
  checkSessionOrigin(route, exchange, principal, dependencies); //        403
  checkSameHost(route, exchange, services); //                            403
  const workspace = await findOwnWorkspace(route, params, principal, dependencies);
  exchange.workspace = workspace?.workspaceId ?? null;
  checkCaller(route, params, { principal, workspace, services }); //      403, 410, 404
  checkMediaType(route, exchange); //                                     415
  const bytes = await readBody(route, exchange, services.limits.http); // 413
  const input = parseRequest(route, exchange, params, bytes); //          400
  checkRoom(route, services); //                                          503
  await checkSwitch(route, services); //                                  503
  return contextOf(route, exchange, dependencies, { ...input, principal, workspace });
}

interface Caller {
  readonly principal: AnyPrincipal;
  readonly workspace: Context['workspace'];
  readonly services: GatewayServices;
}

/** Checks if a caller may send a request of a route: 403 and 410 of the workspace, 403 of the product, 404, 403 of the role. */
export function checkCaller(
  route: Route,
  params: PathParameters,
  { principal, workspace, services }: Caller,
) {
  checkWorkspaceState(route, workspace, services);
  checkProduct(route, workspace);
  checkOwnership(route, params, principal, workspace);
  checkRole(route, principal);
}

async function readBody(
  route: Route,
  exchange: Exchange,
  limits: Readonly<Record<'jsonBytes' | 'configurationBytes', number>>,
): Promise<Buffer> {
  switch (route.body.kind) {
    case 'none':
      return await readBytes(exchange, limits.jsonBytes);
    case 'json':
      return await readBytes(exchange, limits[route.body.limit]);
    case 'stream':
      return Buffer.alloc(0);
  }
}

interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

function parseRequest(route: Route, exchange: Exchange, params: PathParameters, bytes: Buffer): RequestInput {
  return {
    params: route.params === undefined ? undefined : parseInput(route.params, params, 'path'),
    query: parseQueryOf(route, exchange),
    idempotencyKey: parseIdempotencyKey(route, exchange),
    body: parseBody(route, bytes),
  };
}

function parseQueryOf(route: Route, exchange: Exchange): unknown {
  const query = parseQuery(exchange.request.url ?? '');
  if (route.query !== undefined) return parseInput(route.query, query, 'query');
  if (Object.keys(query).length === 0) return undefined;
  const names = Object.keys(query).slice(0, NAMES_SHOWN_MAX).map(shownName).join(' and ');
  throw serviceError('bad_request', { at: 'query', seen: `${names}`, expected: 'no parameters' });
}

function parseIdempotencyKey(route: Route, exchange: Exchange): string | null {
  const header = route.idempotencyHeader === true ? singleHeader(exchange.request, 'idempotency-key') : null;
  if (header === 'repeated') {
    throw serviceError('bad_request', {
      at: 'header.Idempotency-Key',
      seen: 'more than one',
      expected: 'one',
    });
  }
  if (header === null) return null;
  const { idempotencyCharactersMin: min } = route;
  const schema =
    min === undefined
      ? idempotencyKeySchema
      : idempotencyKeySchema.min(min, `expected at least ${min} random characters, such as a UUID`);
  return parseInput(schema, header, 'header.Idempotency-Key');
}

function parseBody(route: Route, bytes: Buffer): unknown {
  switch (route.body.kind) {
    case 'json':
      return parseInput(route.body.schema, parseStrictJson(decodeText(bytes)), 'body');
    case 'none':
      if (bytes.length > 0)
        throw serviceError('bad_request', { at: 'body', seen: 'bytes', expected: 'none' });
      return undefined;
    case 'stream':
      return undefined;
  }
}

function arrivalOf({ body }: Route, { imports }: GatewayServices['limits']): Arrival {
  return body.kind === 'stream' && body.arrival === 'upload' ? uploadArrival(imports) : COMMON_ARRIVAL;
}

/** The number of unknown parameters that one answer names. */
const NAMES_SHOWN_MAX = 5;

/** Makes the context of a handler from the facts that the checks established. */
function contextOf(
  route: Route,
  exchange: Exchange,
  { services, logger }: GuardDependencies,
  admitted: RequestInput & { readonly principal: AnyPrincipal; readonly workspace: Context['workspace'] },
): Context {
  const { requestId, span, addressKey } = exchange;
  const sender = { ...admitted, requestId, span, actor: admitted.principal.actor, services, addressKey };
  return {
    ...sender,
    request: exchange.request,
    headers: exchange.request.headers,
    stream: bodyStream(exchange, arrivalOf(route, services.limits)),
    gone: () => goneSignal(exchange),
    submit: routeSubmit(route, sender),
    warn: (members, event) => logger.warn({ ...namesOf(exchange), ...members }, event),
  };
}

/** Aborted once the connection of a request without an answer is closed. */
function goneSignal({ response }: Pick<Exchange, 'response'>): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

/** The request whose commands a {@link RouteSubmit} sends. */
type Sender = Pick<
  Context,
  | 'requestId'
  | 'span'
  | 'actor'
  | 'services'
  | 'idempotencyKey'
  | 'params'
  | 'body'
  | 'principal'
  | 'workspace'
  | 'addressKey'
>;

/** Returns the function with which the handler of a route sends commands. */
export function routeSubmit(route: Route, sender: Sender): RouteSubmit {
  const { requestId, span, actor, services, idempotencyKey, params, body } = sender;
  return ({ topic, key, type, input, ...overrides }) =>
    services
      .submit({
        topic,
        key,
        type,
        input,
        requestId,
        span,
        actor: overrides.actor ?? actor,
        holder: holderOf(sender.principal, sender.workspace) ?? sender.addressKey(),
        operation: route.name,
        idempotencyKey: overrides.idempotencyKey ?? idempotencyKey,
        digestInput: overrides.digestInput ?? { path: params ?? {}, body: body ?? {} },
      })
      .catch((error: unknown) => {
        const at = overrides.keyAt ?? (idempotencyKey === null ? null : 'header.Idempotency-Key');
        const isConflict = error instanceof ServiceError && error.refusal.code === 'idempotency_conflict';
        throw at === null || !isConflict ? error : new ServiceError(usedKey(at));
      });
}
