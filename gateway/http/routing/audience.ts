import type { z } from 'zod';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { PrincipalKind } from '../../principals.ts';
import { type ParamsOf, pathFacts } from './path-parameters.ts';
import type {
  Answer,
  AudienceFacts,
  BodyRule,
  Method,
  OperationFacts,
  RouteContext,
  RouteDeclaration,
} from './route.ts';

/** The facts that the routes of one audience share. A route may override each of them. */
export interface Audience<Kind extends PrincipalKind, Prefix extends string> extends AudienceFacts {
  readonly principal: Kind;
  /** The prefix of the paths. */
  readonly prefix: Prefix;
}

type MaybeWorkspace = WorkspaceView | null;

/** The facts that a route adds: without a `body` it takes none, without `errors` it adds none. */
export interface OwnFacts<Kind extends PrincipalKind, Workspace extends MaybeWorkspace, Params, Query, Body>
  extends Partial<AudienceFacts>,
    Omit<OperationFacts<Params, Query>, 'params'> {
  readonly body?: BodyRule<Body>;
  readonly errors?: readonly ErrorCode[];
  handle(context: RouteContext<Kind, Params, Query, Body, Workspace>): Promise<Answer>;
}

/** Declares a route of an audience. `path`: what follows the audience's prefix. */
export type Declare<Kind extends PrincipalKind, Workspace extends MaybeWorkspace, Prefix extends string> = <
  const Path extends string,
  Query = undefined,
  Body = undefined,
>(
  path: Path,
  own: OwnFacts<Kind, Workspace, ParamsOf<`${Prefix}${Path}`>, Query, Body>,
) => RouteDeclaration<Kind, ParamsOf<`${Prefix}${Path}`>, Query, Body>;

export type AudienceRoutes<
  Kind extends PrincipalKind,
  Workspace extends MaybeWorkspace,
  Prefix extends string,
> = { readonly [Name in Lowercase<Method>]: Declare<Kind, Workspace, Prefix> };

/**
 * Returns functions that declare routes with the shared properties of one audience. An audience with a pause rule is
 * about one workspace: the checks answer 404 without one, so its handlers always get it.
 */
export function audience<Kind extends PrincipalKind, const Prefix extends string>(
  shared: Audience<Kind, Prefix> & Required<Pick<AudienceFacts, 'whenPaused'>>,
): AudienceRoutes<Kind, WorkspaceView, Prefix>;
export function audience<Kind extends PrincipalKind, const Prefix extends string>(
  shared: Audience<Kind, Prefix>,
): AudienceRoutes<Kind, MaybeWorkspace, Prefix>;
export function audience<Kind extends PrincipalKind, const Prefix extends string>({
  prefix,
  ...shared
}: Audience<Kind, Prefix>) {
  const declare =
    (method: Method): Declare<Kind, MaybeWorkspace, Prefix> =>
    (path, own) => ({
      body: { kind: 'none' },
      errors: [],
      ...shared,
      ...own,
      method,
      ...pathFacts(`${prefix}${path}` as const),
    });
  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
  };
}

/** The context of a handler that several audiences share, if each of them is about one workspace. */
export type InWorkspace = Pick<
  RouteContext<PrincipalKind, unknown, unknown, unknown, WorkspaceView>,
  'workspace' | 'services'
>;

/** A JSON body. `limit`: the bound of its bytes. */
export function json<Body>(
  schema: z.ZodType<Body>,
  limit: 'jsonBytes' | 'configurationBytes' = 'jsonBytes',
): BodyRule<Body> {
  return { kind: 'json', schema, limit };
}
