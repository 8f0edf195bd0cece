import { digestsEqual } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AudienceRoutes } from '../http/routing/audience.ts';
import type {
  Answer,
  AudienceFacts,
  BodyRule,
  OperationFacts,
  Route,
  RouteContext,
} from '../http/routing/route.ts';
import type { PrincipalKind, PrincipalOf } from '../principals.ts';
import { importAgent, importOwner, importPage } from './audiences.ts';
import { type ImportOwner, type LoadedImport, loadImport } from './load-import.ts';

/** An operation on one import, written once for every audience that has it. */
export interface ImportOperation<Query, Body>
  extends Omit<OperationFacts<never, Query>, 'name' | 'summary' | 'description' | 'params'> {
  readonly method: 'get' | 'post';
  /** The path after the import. */
  readonly path: string;
  readonly body?: BodyRule<Body>;
  readonly errors: readonly ErrorCode[];
  handle(request: ImportRequest<Query, Body>): Promise<Answer>;
}

/** A request about one import, from any audience. */
export interface ImportRequest<Query, Body>
  extends Pick<RouteContext<PrincipalKind, unknown, Query, Body>, 'query' | 'body' | 'services' | 'submit'>,
    Caller {
  readonly importId: string;
  readonly workspace: WorkspaceView;
  /**
   * Loads the import.
   *
   * @throws {ServiceError} `not_found` if the caller may not see it, `erased` if it was erased
   */
  load(): Promise<LoadedImport>;
  /** Refuses like {@link load} what is not the caller's own, where that is not every import of the workspace. */
  requireOwn(): Promise<void>;
}

/** The facts about a caller that an operation needs. */
interface Caller {
  /** True if the caller may know of an import; null: of every import of the workspace. */
  readonly isOwn: ((owner: ImportOwner) => boolean) | null;
  /** An idempotency key that only this caller can repeat. */
  keyOf(idempotencyKey: string): string;
  readonly mayApprove: boolean;
  /** True if the names of headers and of the file are shown, which are private. */
  readonly showsHeaders: boolean;
}

/** An audience's name for an operation, and its differences. */
export interface Offer extends Partial<Omit<AudienceFacts, 'host'>> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Codes beside those of the operation. */
  readonly errors?: readonly ErrorCode[];
  readonly idempotencyHeader?: true;
  readonly recordsRead?: { readonly action: string };
}

/** Declares an operation for an audience. */
type Declare = <Query, Body>(operation: ImportOperation<Query, Body>, offer: Offer) => Route;

/** Declares operations for the customer's backend or a coding agent. */
export const forAgent = forCallers(importAgent, () => ({
  isOwn: null,
  keyOf: (key) => key,
  mayApprove: false,
  showsHeaders: false,
}));

/** Declares operations for a page that imports one file: of its session's own imports only. */
export const forPage = forCallers(importPage, (session) => ({
  isOwn: ({ session: maker }) => maker !== null && digestsEqual(maker.digest, session.sessionDigest),
  keyOf: (key) => sessionKey(session, key),
  mayApprove: session.delegateApproval,
  showsHeaders: true,
}));

/** Declares operations for people of the workspace's organization: owners and admins, unless an offer says otherwise. */
export const forOwner = forCallers(importOwner, ({ role }) => ({
  isOwn: null,
  keyOf: (key) => key,
  mayApprove: true,
  showsHeaders: role !== 'member',
}));

/** A key that only this session can repeat: what two browsers call alike has nothing to do with each other. */
export function sessionKey({ sessionDigest }: PrincipalOf<'session'>, idempotencyKey: string): string {
  return `${sessionDigest}/${idempotencyKey}`;
}

function forCallers<Kind extends PrincipalKind, Prefix extends string>(
  routes: AudienceRoutes<Kind, WorkspaceView, Prefix>,
  callerOf: (principal: PrincipalOf<Kind>) => Caller,
): Declare {
  return ({ method, path, errors, handle, ...operation }, { errors: ownErrors = [], ...own }) =>
    routes[method](`/imports/:importId${path}`, {
      ...operation,
      ...own,
      errors: [...errors, ...ownErrors],
      handle: ({ principal, params, workspace, query, body, services, submit }) => {
        const { importId } = params as unknown as { readonly importId: string };
        const caller = callerOf(principal);
        const load = () => loadImport(services, workspace, importId, caller.isOwn ?? undefined);
        const requireOwn = async () => {
          if (caller.isOwn !== null) await load();
        };
        return handle({ ...caller, importId, workspace, query, body, services, submit, load, requireOwn });
      },
    });
}
