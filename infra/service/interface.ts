import { z } from 'zod';
import { isConsoleRoute } from '../../gateway/http/guards.ts';
import { errorCodes } from '../../gateway/http/openapi/errors.ts';
import { describeInterface } from '../../gateway/http/openapi/openapi.ts';
import type { Route } from '../../gateway/http/routing/route.ts';
import { PRINCIPALS } from '../../gateway/principals.ts';
import type { Hosts } from '../../gateway/services.ts';
import { envelopeSchema, type InputTable } from '../../schemas/base/command.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { keywords } from '../../schemas/base/wire.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { TOPIC_NAMES, TOPICS, type Topic } from '../../topics/catalogue.ts';
import { productRoutes } from './gateway.ts';
import { describeDocuments } from './stored-documents.ts';

/** One process that serves everything, where nothing else is set. */
const BASE = 'http://127.0.0.1:8787';
const HOSTS: Hosts = { base: BASE, limiter: BASE, ingest: BASE, console: BASE, dashboard: BASE };

/** Everything that others rely on, as data: what is served over HTTP, and what records of topics and stored documents hold. */
export interface ServiceInterface {
  /** OpenAPI 3.1, as `/openapi.json` serves it. */
  readonly openapi: JsonObject;
  /**
   * By topic: its kind, its key, and the JSON Schema of the input of every type of record. `*` has the envelope, without
   * its input.
   */
  readonly topics: JsonObject;
  /** By table, the JSON Schema of every document that the store keeps. */
  readonly documents: JsonObject;
}

export function describeService(): ServiceInterface {
  return {
    openapi: describeInterface(productRoutes(), { hosts: HOSTS, limits: DEFAULT_LIMITS }),
    topics: {
      '*': describeTopic({ kind: 'any', key: 'any', records: { envelope: { input: ENVELOPE } } }),
      ...Object.fromEntries(TOPIC_NAMES.map((name) => [name, describeTopic(TOPICS[name])])),
    },
    documents: describeDocuments(),
  };
}

const ENVELOPE = envelopeSchema.omit({ input: true });

interface Described extends Pick<Topic, 'key'> {
  readonly kind: string;
  readonly records: InputTable;
}

function describeTopic({ kind, key, records: table }: Described): JsonObject {
  const records = Object.entries(table).map(([type, { input }]) => [
    type,
    z.toJSONSchema(input, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
      metadata: keywords,
    }) as JsonObject,
  ]);
  return { kind, key, records: Object.fromEntries(records) };
}

/** One request of the interface, for the reference. */
export interface Endpoint {
  /** The operation's name in OpenAPI. */
  readonly name: string;
  /** Its group in OpenAPI. */
  readonly tag: string;
  readonly request: string;
  readonly summary: string;
  /** The credential that it takes; for the console, the roles that may send it. */
  readonly caller: string;
  readonly status: number;
  /** Error codes besides {@link COMMON_CODES}. */
  readonly codes: readonly ErrorCode[];
}

/** Error codes that the reference explains once for every request. */
const COMMON_CODES: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'session_required',
  'membership_ended',
  'organization_required',
  'rate_limited',
  'payload_too_large',
  'unsupported_media_type',
  'internal_error',
  'unavailable',
];

/** Lists every request of the products. */
export function describeEndpoints(): Endpoint[] {
  return productRoutes().map((route) => ({
    name: route.name,
    tag: route.tag?.name ?? '',
    request: `${route.method} ${route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')}`,
    summary: route.summary.replace(/\.$/, ''),
    caller: route.roles?.join(', ') ?? callerOf(route),
    status: route.success.status,
    codes: errorCodes(route).filter((code) => !isCommon(route, code)),
  }));
}

function callerOf({ principal }: Route): string {
  return principal === 'none' ? 'anyone' : PRINCIPALS[principal].label;
}

/** A request of the console from another page is refused everywhere with the same code. */
function isCommon(route: Route, code: ErrorCode): boolean {
  return COMMON_CODES.includes(code) || (code === 'origin_not_allowed' && isConsoleRoute(route));
}
