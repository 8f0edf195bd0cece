import type { JsonObject } from '../../../schemas/base/json.ts';
import { parseInput } from '../../../schemas/base/validation.ts';
import { type AnyPrincipal, principal } from '../../principals.ts';
import { checkCaller, routeSubmit } from '../admission.ts';
import { checkRoom, checkSwitch, type PathParameters } from '../guards.ts';
import type { Route, RouteContext } from './route.ts';

/** The request that an inner request belongs to: its caller is known, and its rate was counted. */
export type OuterContext = Pick<
  RouteContext<'project', unknown, unknown, unknown>,
  | 'requestId'
  | 'span'
  | 'principal'
  | 'workspace'
  | 'services'
  | 'addressKey'
  | 'gone'
  | 'request'
  | 'headers'
  | 'stream'
  | 'warn'
>;

/** The input of an inner request. It comes from no wire, so there is no media type, no bytes and an empty query. */
export interface InnerInput {
  readonly params: PathParameters;
  readonly body: JsonObject | undefined;
}

/**
 * Answers a request of a route from inside of another request, with its caller: the same checks of caller and input, and the same
 * handler, as if it had come over HTTP. The repeat of an idempotency key over HTTP gets the same outcome.
 *
 * @returns the body of the answer
 * @throws {ServiceError} with the refusal
 */
export async function answerInside(
  route: Route,
  outer: OuterContext,
  input: InnerInput,
): Promise<JsonObject> {
  if (route.handle === undefined) throw new Error(`answering ${route.name} inside: it answers directly`);
  const { services, workspace, requestId, span } = outer;
  const caller: AnyPrincipal = route.principal === 'none' ? principal('none', { id: null }) : outer.principal;
  if (caller.kind !== route.principal) throw new Error(`answering ${route.name} inside: another caller`);
  checkCaller(route, input.params, { principal: caller, workspace, services });
  const params = route.params === undefined ? undefined : parseInput(route.params, input.params, 'path');
  const body = route.body.kind === 'json' ? parseInput(route.body.schema, input.body, 'body') : undefined;
  const query = route.query === undefined ? undefined : parseInput(route.query, {}, 'query');
  checkRoom(route, services);
  await checkSwitch(route, services);
  const { actor } = caller;
  const sender = {
    ...{ requestId, span, actor, services, idempotencyKey: null, params, body },
    ...{ principal: caller, workspace, addressKey: outer.addressKey },
  };
  const { body: answer = {}, unreadable = [] } = await route.handle({
    ...outer,
    ...sender,
    query,
    submit: routeSubmit(route, sender),
  });
  for (const { id, cause } of unreadable) outer.warn({ err: cause, id }, 'EntryUnreadable');
  return answer;
}
