import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Actor, CommandType, ResultOf } from '../../../schemas/base/command.ts';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import type { Fault } from '../../../schemas/base/errors.ts';
import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';
import type { Role } from '../../../schemas/organizations/documents.ts';
import type { Switches } from '../../../schemas/organizations/switches.ts';
import type { Product } from '../../../schemas/products.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { CommandsOf, CommandTopicName, TopicCommand } from '../../../topics/catalogue.ts';
import type { Span } from '../../../topics/ports/tracer.ts';
import type { Principal, PrincipalKind, PrincipalOf } from '../../principals.ts';
import type { GatewayServices, HostName } from '../../services.ts';
import type { Unreadable } from '../records/readings.ts';

/**
 * The way in which a request's body is read. A stream is handed to the handler untouched, after its content type was
 * checked.
 */
export type BodyRule<Body> =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json';
      readonly schema: z.ZodType<Body>;
      readonly limit: 'jsonBytes' | 'configurationBytes';
    }
  | {
      readonly kind: 'stream';
      readonly contentType: string;
      /** `upload`: it has the minutes and the least pace of an uploaded file; absent: the time of every body. */
      readonly arrival?: 'upload';
      /** The schema that the handler reads from the bytes, for OpenAPI. */
      readonly schema?: z.ZodType;
    };

/** Which rate limit a route draws on, or none. `visitor`: what pages send for people without a credential. */
export type RateRule = 'management' | 'delivery' | 'upload' | 'visitor' | 'none';

/** A file: a text as UTF-8, or bytes. */
export type Attachment = {
  readonly contentType: string;
  /** Of letters, digits, dots, underscores and dashes. Null: a page uses the file in place. */
  readonly fileName: string | null;
} & ({ readonly text: string } | { readonly bytes: Uint8Array });

/** The answer of a handler: JSON, a file, or nothing (204). */
export interface Answer {
  /** Overrides the status of the route: of a protocol inside HTTP, which has its own errors. */
  readonly status?: number;
  readonly body?: JsonObject;
  /** Entries of the body's list that cannot be read. The router adds them to the body, and logs why. */
  readonly unreadable?: readonly Unreadable[];
  readonly attachment?: Attachment;
  readonly headers?: Readonly<Record<string, string>>;
  /** The installation that a recorded read was about, where the path names no workspace. */
  readonly readInstallationId?: string;
  /** The values of `Set-Cookie`, where there is more than one. */
  readonly cookies?: readonly string[];
}

/** The parts of a request that are read besides its body: each header with all its values. */
export type IncomingHeaders = Pick<IncomingMessage, 'headersDistinct'>;

export interface RouteContext<
  Kind extends PrincipalKind,
  Params,
  Query,
  Body,
  Workspace extends WorkspaceView | null = WorkspaceView | null,
> {
  readonly requestId: string;
  /** The span of the request; absent: no trace. */
  readonly span?: Span | undefined;
  readonly principal: PrincipalOf<Kind>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The workspace that a console route's path names, checked to be the caller's; else the principal's, or null. */
  readonly workspace: Workspace;
  /** Stands for the caller's address (IPv6 cut to its /64) in counter keys: an HMAC, never the address itself. */
  readonly addressKey: () => string;
  /** The `Idempotency-Key` header, where the route admits one. */
  readonly idempotencyKey: string | null;
  /** The headers as they arrived, for the few routes that read a special one. */
  readonly request: IncomingHeaders;
  readonly headers: IncomingMessage['headers'];
  /**
   * The body of a `stream` route, in the pieces of its arrival. Leaving the iteration early keeps the connection
   * open, so that a refusal still reaches the caller. Throws if the caller disconnects in the middle.
   */
  readonly stream: AsyncIterable<Uint8Array>;
  readonly services: GatewayServices;
  /** The actor of the command's envelope. */
  readonly actor: Actor;
  /** Returns a signal that is aborted once the caller has closed the connection. */
  readonly gone: () => AbortSignal;
  /** Sends a command with this request's id, operation, actor and idempotency key. */
  readonly submit: RouteSubmit;
  /** Logs what the answer does not say, with the names by which a line of the log leads to this request. */
  readonly warn: (members: object, event: string) => void;
}

export type RouteSubmit = <Topic extends CommandTopicName, Type extends CommandType<CommandsOf<Topic>>>(
  command: RouteCommand<Topic, Type>,
) => Promise<ResultOf<CommandsOf<Topic>, Type>>;

export type RouteCommand<
  Topic extends CommandTopicName,
  Type extends CommandType<CommandsOf<Topic>>,
> = TopicCommand<Topic, Type> & RouteOverrides;

/** The parts of a command that a handler may decide instead of its request. */
export interface RouteOverrides {
  /** Overrides the header's key: a body's `idempotencyKey`. */
  readonly idempotencyKey?: string;
  /** The part of the request that holds the key, where it is neither the header nor named `idempotencyKey`. */
  readonly keyAt?: Fault['at'];
  /** Overrides the digest of path parameters and body, where a body holds what a repeat may change. */
  readonly digestInput?: unknown;
  /** Overrides the actor where the caller becomes a person only by this request: signing up, joining. */
  readonly actor?: Actor;
}

/**
 * One route as data. The router, the order of checks (infra/docs/reference/README.md#order-of-checks) and
 * `/openapi.json` are made from it.
 */
export type RouteDeclaration<Kind extends PrincipalKind, Params, Query, Body> = RouteFacts<
  Kind,
  Params,
  Query,
  Body
> &
  (Handled<Kind, Params, Query, Body> | Direct);

interface RouteFacts<Kind extends PrincipalKind, Params, Query, Body>
  extends AudienceFacts,
    OperationFacts<Params, Query> {
  readonly method: Method;
  /** Express syntax: `/v1/installations/:installationId/…`. */
  readonly path: string;
  /** The group of the OpenAPI document: see {@link tagged}. */
  readonly tag?: Tag;
  readonly principal: Kind;
  readonly body: BodyRule<Body>;
  /** Codes beyond those that follow from the other facts. */
  readonly errors: readonly ErrorCode[];
}

/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Returns the routes of a product, which are one group of the OpenAPI document. */
export function tagged(tag: Tag, routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => ({ ...route, tag }));
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The facts that depend on the audience of a route. Routes of one audience mostly agree in them. */
export interface AudienceFacts {
  /** `any`: served whatever host the caller names; for probes, which know only the machine's address. */
  readonly host: HostName | 'any';
  /** Which members of the organization may do this: exactly the routes of the console's principal have it. */
  readonly roles?: readonly Role[];
  /** Only members of the organization that operates this service may call this; everybody else gets 404. */
  readonly operator?: true;
  /**
   * Pages of one origin may call this: that of the browser session, which the request has to name exactly. Preflights and
   * the headers of every answer, refusals included, follow from it.
   */
  readonly cors?: 'session-origin';
  /** No page of another site may call this, and no request that names another host: see `checkSameHost`. */
  readonly sameHost?: true;
  /** The product that the workspace must have. */
  readonly product?: Product;
  /**
   * The answer of a paused workspace; absent where no workspace is involved. Expired and disconnected ones refuse
   * everything unless `whenEnded` is `allowed`.
   */
  readonly whenPaused?: 'refused' | 'allowed';
  readonly whenEnded?: 'allowed';
  /** `allowed`: an erasure needs no content. A workspace that cannot be read then belongs to the organization that lists it. */
  readonly whenUnreadable?: 'allowed';
  readonly rate: RateRule;
  /** Adds `Cache-Control: no-store`: answers with secrets, sessions or private data. */
  readonly noStore?: true;
}

/** The input and the answers of an operation, for every audience. */
export interface OperationFacts<Params, Query> {
  /** Unique; names the operation in OpenAPI and is the scope of its idempotency keys. */
  readonly name: string;
  readonly summary: string;
  /** Text for callers, in sentences: the effect of the request and what it needs. */
  readonly description: string;
  /** An example of the body where that of its schema does not fit: JSON, or the text of a file. */
  readonly requestExample?: JsonValue;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** True where each call may add rows that stay, although it makes nothing by name: refused while room is scarce. */
  readonly grows?: true;
  /** The operator's switch that refuses the route while it is off. */
  readonly switch?: keyof Switches;
  /** True where a request without an `idempotencyKey` in its body may carry an `Idempotency-Key` header. */
  readonly idempotencyHeader?: true;
  /** Characters that such a key has at least: where no credential tells callers apart, only a random one does. */
  readonly idempotencyCharactersMin?: number;
  /** True where `Svc-Signature` stands in for a credential. */
  readonly signed?: true;
  /** True where the answer and a 429 tell the key's quotas in `RateLimit` headers. */
  readonly quotaHeaders?: true;
  readonly success: Success;
  /**
   * A person who is answered this reads private data, and the audit log says so under this action; with `only`, when a file is
   * answered.
   */
  readonly recordsRead?: { readonly action: string; readonly only?: 'attachment' };
}

/** The answer to a request that nothing refuses. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly schema?: z.ZodType;
  /** Members of an example that differ from the example of the schema. */
  readonly example?: JsonObject;
  /**
   * The content type of a file answer. A route without a schema always sends it; others send it if the caller's
   * `Accept` asks for it.
   */
  readonly attachment?: string;
  /** An example of the file: its text, or the schema of its JSON. */
  readonly file?: string | z.ZodType;
  /**
   * True for conditional requests (RFC 9110, 13.1.2): the answer has an `ETag`, and 304 means that the caller's copy
   * is current.
   */
  readonly etag?: true;
  readonly description: string;
  /** The meaning of 202 without a body: a protocol inside HTTP answers it to a message that needs no reply. */
  readonly accepted?: string;
}

/** A route whose requests pass all checks before its handler runs. */
interface Handled<Kind extends PrincipalKind, Params, Query, Body> {
  handle(context: RouteContext<Kind, Params, Query, Body>): Promise<Answer>;
  readonly direct?: undefined;
}

/**
 * Answers ahead of the router, and makes the checks itself in their order. Only the rate-limit check does so: a caller
 * waits for it in each request that it serves. Its path has no parameters.
 */
interface Direct {
  direct(exchange: DirectExchange, services: GatewayServices): Promise<DirectAnswer>;
  readonly handle?: undefined;
}

/** The parts of a request that a direct route receives. */
export interface DirectExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The address that limits go by. */
  readonly addressKey: () => string;
  /** Notes that the credential of the request was accepted. */
  readonly accepted: (principal: Principal<PrincipalKind>) => void;
  /** True if the caller was told to send its body. */
  continued: boolean;
  /** The kind of the caller, once that is known: for the log. */
  principal: PrincipalKind | null;
  caller: string | null;
}

export interface DirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonObject | undefined;
}

/** Any route, as the router sees it. */
export type Route = RouteDeclaration<PrincipalKind, unknown, unknown, unknown>;

/** Declares a route; only checks the types. */
export function defineRoute<
  Kind extends PrincipalKind,
  Params = undefined,
  Query = undefined,
  Body = undefined,
>(route: RouteDeclaration<Kind, Params, Query, Body>): RouteDeclaration<Kind, Params, Query, Body> {
  return route;
}
