import type { Logger } from 'pino';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { ERRORS, type ErrorCode } from '../../schemas/base/error-codes.ts';
import { refusal, ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { idSchema, installationOf } from '../../schemas/base/ids.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { hasProduct } from '../../schemas/products.ts';
import { type WorkspaceView, workspaceRefusal } from '../../schemas/workspaces/state.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { type AnyPrincipal, PRINCIPALS, type Principal, principal } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { checkContentType } from './body/body.ts';
import { isSessionOrigin, NOT_FOR_PAGES } from './browsers/cors.ts';
import { type Authenticators, unauthorized } from './callers/bearer.ts';
import { singleHeader } from './headers.ts';
import type { Exchange } from './routing/exchange.ts';
import type { Route } from './routing/route.ts';

/**
 * The wait before a caller asks again for something that takes room. An operator or an owner has to free room first.
 */
const SCARCE_RETRY_SECONDS = 60;

/** The wait before a caller asks again for something that an operator has switched off. */
const SWITCHED_OFF_RETRY_SECONDS = 300;

/** The dependencies of the checks besides the request itself. */
export interface GuardDependencies {
  readonly services: GatewayServices;
  readonly logger: Logger;
  readonly authenticators: Authenticators;
  /**
   * Reads a workspace by its installation id; null when there is none. `listedBy`: the organization whose list counts if the
   * workspace cannot be read; null: then the reading fails.
   */
  readonly findWorkspace: (
    store: GatewayServices['store'],
    installationId: string,
    listedBy: string | null,
  ) => Promise<WorkspaceView | null>;
}

export type PathParameters = Readonly<Record<string, string>>;

const ANYBODY = principal('none', { id: null });

/** Returns the caller, or the 401 for a credential that is missing or not valid. */
export async function authenticate(
  route: Route,
  { request, addressKey }: Exchange,
  { authenticators, services }: GuardDependencies,
): Promise<AnyPrincipal | ServiceError> {
  if (route.principal === 'none') return ANYBODY;
  try {
    return (
      (await authenticators[route.principal](request, services, addressKey)) ??
      unauthorized(route.principal, request)
    );
  } catch (error) {
    if (error instanceof ServiceError && ERRORS[error.refusal.code].status === 401) return error;
    throw error;
  }
}

/**
 * 429 by address. Only requests without a valid credential count, and only such requests are refused. So a caller is
 * not locked out by a neighbour who guesses (infra/docs/reference/README.md#limits-of-requests).
 */
export async function limitByAddress(
  route: Route,
  exchange: Exchange,
  found: AnyPrincipal | ServiceError,
  services: GatewayServices,
): Promise<void> {
  if (!(found instanceof ServiceError) || route.rate !== 'management') return;
  const key = `gateway:unauthorized:${exchange.addressKey()}`;
  await take(services, key, services.limits.http.unauthorizedPerMinute);
}

/** 401 for a request without a caller. */
export function requirePrincipal(found: AnyPrincipal | ServiceError): AnyPrincipal {
  if (found instanceof ServiceError) throw found;
  return found;
}

/** 429 by principal; callers without a credential share the allowance of their address. */
export async function limitByPrincipal(
  route: Route,
  exchange: Exchange,
  principal: Principal,
  services: GatewayServices,
): Promise<void> {
  if (route.rate === 'none') return;
  if (route.rate === 'visitor') {
    await limitVisitor(exchange, principal, services);
    return;
  }
  const caller = callerOf(route, principal) ?? exchange.addressKey();
  const limit = {
    management: 'managementPerMinute',
    delivery: 'deliveryPerMinute',
    upload: 'uploadsPerMinute',
  } as const;
  const key = `gateway:${route.rate}:${principal.kind}:${caller}`;
  try {
    await take(services, key, services.limits.http[limit[route.rate]]);
  } catch (error) {
    // The people who have to act while the counters are down are not stopped by that.
    if (!(error instanceof EngineUnavailableError) || !principal.operator) throw error;
  }
}

/**
 * 429 by address for what pages send for people without a credential: one limit for each address and caller. The key of the
 * counter changes every day (UTC), so that no address can be followed from one day to the next.
 */
async function limitVisitor(exchange: Exchange, { id }: Principal, services: GatewayServices): Promise<void> {
  const { clock, secrets, limits } = services;
  const day = Math.floor(clock.now() / DAY_MS);
  const visitor = keyedDigest(secrets.identity, 'visitor', day, exchange.addressKey(), id ?? '');
  const key = `gateway:visitor:${visitor.toString('base64url')}`;
  await take(services, key, limits.http.visitorPerMinute);
}

/** The name under which a caller's rate limit counts; null for a caller without a credential. */
function callerOf(route: Route, { id, workspace }: Principal): string | null {
  const { countedBy } = PRINCIPALS[route.principal];
  return countedBy === 'installation' && workspace !== null ? workspace.installationId : id;
}

/**
 * Refuses a change that a browser sends from a page outside the console (403). A browser always sends the origin of
 * such a request, and no page can forge it. Together with the JSON content type this keeps other sites from acting,
 * or signing in, for a person.
 */
export function checkConsoleOrigin(
  route: Route,
  { request }: Exchange,
  { services }: GuardDependencies,
): void {
  if (!isConsoleRoute(route) || route.method === 'GET') return;
  const expected = new URL(services.hosts.console).origin;
  if (singleHeader(request, 'origin') === expected) return;
  throw serviceError('origin_not_allowed', {
    at: 'header.Origin',
    seen: 'another origin or none',
    expected: `${expected}, the console's own`,
  });
}

/**
 * 403 for a request from another page than those of the browser session's origin, or from no page at all. Only such a
 * page may read the answer, even an agent's upload.
 */
export function checkSessionOrigin(
  route: Route,
  exchange: Exchange,
  { origin: bound }: Principal,
  { services }: GuardDependencies,
): void {
  if (route.cors === undefined) return;
  const admitted = bound !== null && isSessionOrigin(bound, services);
  if (admitted && originOf(route, exchange, services) === bound) return;
  exchange.cors = NOT_FOR_PAGES;
  if (bound === null) return;
  throw serviceError('origin_not_allowed', {
    at: 'header.Origin',
    seen: 'another origin or none',
    expected: 'the one that the session is bound to',
  });
}

/** The page's origin. A browser leaves it out of what a page reads from its own origin (Fetch standard, "Origin header"). */
function originOf({ method, host }: Route, { request }: Exchange, { hosts }: GatewayServices): string | null {
  const named = singleHeader(request, 'origin');
  return named === null && method === 'GET' && host !== 'any' ? new URL(hosts[host]).origin : named;
}

/** True if a route belongs to the console: its session is a cookie, which browsers send by themselves. */
export function isConsoleRoute(route: Route): boolean {
  return isForPeople(route) || route.host === 'console';
}

/** True if the caller is a signed-in person: then roles decide. */
export function isForPeople(route: Route): boolean {
  return PRINCIPALS[route.principal].credential.form === 'session-cookie';
}

/**
 * Returns the workspace that a request is about, if it is the caller's: the workspace of its credential, or the
 * attached workspace that a console route's path names. Another owner's workspace counts as missing until ownership
 * is checked, so that its state does not leak.
 */
export async function findOwnWorkspace(
  route: Route,
  params: PathParameters,
  { workspace: own, organizationId }: Principal,
  { findWorkspace, services }: GuardDependencies,
): Promise<WorkspaceView | null> {
  if (PRINCIPALS[route.principal].workspace !== 'named') return own;
  const workspaceId = params['workspaceId'];
  if (!namesWorkspace(route) || !idSchema('workspace').safeParse(workspaceId).success) return null;
  const listedBy = route.whenUnreadable === 'allowed' ? organizationId : null;
  const workspace = await findWorkspace(services.store, installationOf(String(workspaceId)), listedBy);
  return organizationId !== null && workspace?.organizationId === organizationId ? workspace : null;
}

/** True if a request of this route is about one workspace. */
export function concernsWorkspace(route: Route): boolean {
  const { workspace } = PRINCIPALS[route.principal];
  return workspace === 'own' || (workspace === 'named' && namesWorkspace(route));
}

function namesWorkspace({ path }: Route): boolean {
  return /\/:workspaceId(\/|$)/.test(path);
}

/** The owner can still read and erase an ended workspace. An erased one has nothing left. */
const ENDED_CODES: readonly ErrorCode[] = ['expired', 'workspace_disconnected'];

/** 403 or 410: the workspace is paused, disconnected, at its end or erased. */
export function checkWorkspaceState(
  route: Route,
  workspace: WorkspaceView | null,
  services: GatewayServices,
): void {
  if (workspace === null || route.whenPaused === undefined) return;
  const refused = workspaceRefusal(workspace, services.clock.now(), route.whenPaused);
  if (refused === null || (route.whenEnded === 'allowed' && ENDED_CODES.includes(refused.code))) return;
  throw new ServiceError(refused);
}

/** 403: the workspace was created without this product. */
export function checkProduct(route: Route, workspace: WorkspaceView | null): void {
  if (route.product === undefined || workspace === null) return;
  if (hasProduct(workspace.products, route.product)) return;
  throw serviceError('product_not_enabled', {
    at: 'workspace.products',
    seen: `a workspace without ${route.product}`,
    expected: 'a workspace that was created with it',
  });
}

/** 404 for a path that names another owner's resource, as if it did not exist. */
export function checkOwnership(
  route: Route,
  params: PathParameters,
  principal: Principal,
  workspace: WorkspaceView | null,
): void {
  const { workspaceId, installationId } = workspace ?? {};
  for (const [name, value] of Object.entries({ workspaceId, installationId, ...principal.owned })) {
    if (value !== undefined && params[name] !== undefined && params[name] !== value) throw notFound();
  }
  if (concernsWorkspace(route) && workspace === null) throw notFound();
  if (route.operator === true && !principal.operator) throw notFound();
}

/**
 * 403: the caller's role in the organization does not allow this. The fold behind it checks the role once more where the
 * answer must hold at the moment of the change.
 */
export function checkRole({ roles }: Route, { role }: Principal): void {
  if (roles === undefined || (role !== null && roles.includes(role))) return;
  throw serviceError('forbidden', {
    at: 'caller.role',
    seen: `${role}`,
    expected: `${roles.join(' or ')} in the organization`,
  });
}

/** 415: the body is not of the type that the route reads. */
export function checkMediaType(route: Route, { request }: Exchange): void {
  switch (route.body.kind) {
    case 'none':
      return;
    case 'json':
      checkContentType(request, 'application/json');
      return;
    case 'stream':
      checkContentType(request, route.body.contentType);
      return;
  }
}

/** The refusal for a path that leads nowhere, for this caller or for any. */
export function notFound() {
  return serviceError('not_found', {
    at: 'path',
    seen: 'an address that you cannot access',
    expected: 'one of your resources',
  });
}

async function take(services: GatewayServices, key: string, limit: number): Promise<void> {
  const { allowed, resetAt } = await services.counters.take(key, limit, MINUTE_MS);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil((resetAt - services.clock.now()) / SECOND_MS));
  throw serviceError(
    'rate_limited',
    {
      at: 'request.rate',
      seen: `more than ${limit} requests in a minute`,
      expected: `at most ${limit}; wait for the next minute`,
    },
    seconds,
  );
}

/**
 * 503 for routes that take room while it is scarce: uploads, routes that create something (201) or start work (202),
 * and routes that declare it. Reads still work, and so do routes that end or erase things.
 */
export function checkRoom(route: Route, { room }: Pick<GatewayServices, 'room'>): void {
  const { status } = route.success;
  const takesRoom = status === 201 || status === 202 || route.body.kind === 'stream' || route.grows === true;
  if (!takesRoom || room() === 'ample') return;
  throw serviceError(
    'unavailable',
    'The service is low on disk space and accepts no new data.',
    SCARCE_RETRY_SECONDS,
  );
}

const SWITCHED_OFF = {
  creation: 'creates no workspaces',
  feedback: 'accepts no feedback',
  runs: 'accepts no browser checks',
} as const;

/** A refusal that the operator wants: no fault of the service. */
export class SwitchedOffError extends ServiceError {}

/** 503: an operator has switched off what the route lets in. */
export async function checkSwitch(
  route: Route,
  { switches }: Pick<GatewayServices, 'switches'>,
): Promise<void> {
  if (route.switch === undefined || (await switches.read())[route.switch]) return;
  const message = `The service ${SWITCHED_OFF[route.switch]} at the moment: its operator has switched that off.`;
  throw new SwitchedOffError(refusal('unavailable', message, SWITCHED_OFF_RETRY_SECONDS));
}
