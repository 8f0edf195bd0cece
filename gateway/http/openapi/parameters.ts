import { z } from 'zod';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { EXAMPLES, exampleOf } from '../../../schemas/base/examples.ts';
import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';
import type { Hosts } from '../../services.ts';
import { isConsoleRoute } from '../guards.ts';
import type { Route } from '../routing/route.ts';
import type { SchemaComponents } from './json-schema.ts';
import { comesFromPages } from './security.ts';

/** Describes the parameters of operations. Those of one form become one component. */
export class ParameterComponents {
  readonly #hosts: Hosts;
  readonly #schemas: SchemaComponents;
  readonly #components = new Map<string, JsonObject>();

  constructor(hosts: Hosts, schemas: SchemaComponents) {
    this.#hosts = hosts;
    this.#schemas = schemas;
  }

  /** The parameters of one operation. */
  describe(route: Route): JsonObject[] {
    const path = this.#members(route.params).map((member) =>
      this.#refer(inWords(member.name), { ...member, in: 'path', required: true }),
    );
    const query = this.#members(route.query).map((member) => ({ ...member, in: 'query' }));
    return [
      ...path,
      ...query,
      ...this.#origin(route),
      ...(route.signed === true ? [this.#refer('SvcSignature', SVC_SIGNATURE)] : []),
      ...(route.idempotencyHeader === true ? [this.#idempotencyKey(route)] : []),
      ...(route.success.etag === true ? [this.#refer('IfNoneMatch', IF_NONE_MATCH)] : []),
    ];
  }

  /** Every component that an operation refers to, by name, in alphabetical order. */
  all(): JsonObject {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(name: string, parameter: JsonObject): JsonObject {
    this.#components.set(name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }

  #members(schema: z.ZodType | undefined) {
    if (!(schema instanceof z.ZodObject)) return [];
    const described = objectSchema.parse(this.#schemas.describe(schema, 'parameters'));
    return Object.entries(described.properties ?? {}).map(([name, { description, ...form }]) => {
      const example = exampleOf(schema.shape[name]) as JsonValue | undefined;
      return {
        name,
        required: described.required?.includes(name) === true,
        schema: form,
        ...(description === undefined ? {} : { description }),
        ...(example === undefined ? {} : { example }),
      };
    });
  }

  /** The origin of the page that a browser calls from: the console, or that of the session. */
  #origin(route: Route): JsonObject[] {
    const changes = route.method !== 'GET';
    if (isConsoleRoute(route)) {
      if (!changes) return [];
      const { origin } = new URL(this.#hosts.console);
      // Some generators leave out operations whose header has a constant.
      const schema = { type: 'string', enum: [origin] };
      return [this.#refer('ConsoleOrigin', originHeader(true, 'The origin of the console.', schema))];
    }
    if (route.cors === undefined) return [];
    const required = changes && comesFromPages(route);
    const meaning =
      'The origin that the session is bound to. Browsers send it; they leave it out of a GET to their own origin.';
    const schema = { type: 'string', minLength: 1, examples: [EXAMPLES.origin] };
    const name = required ? 'PageOrigin' : 'OptionalPageOrigin';
    return [this.#refer(name, originHeader(required, meaning, schema))];
  }

  #idempotencyKey({ idempotencyCharactersMin: minLength }: Route): JsonObject {
    const name = minLength === undefined ? 'IdempotencyKey' : 'RandomIdempotencyKey';
    return this.#refer(name, {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        minLength === undefined
          ? 'Makes repeats of the request safe: a repeat with the same key gets the first answer, and the key with another request gets 409 `idempotency_conflict`.'
          : 'Makes repeats of the request safe. There is no credential to tell callers apart, so use a random key, such as a UUID.',
      // Blanks at the ends are no part of the value of a header.
      schema: {
        type: 'string',
        ...(minLength === undefined ? {} : { minLength }),
        pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,126}[\\x21-\\x7e])?$',
        // A random key has no example: callers that copy it would share it.
        ...(minLength === undefined ? { examples: ['order-1042-first-attempt'] } : {}),
      },
    });
  }
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.custom<JsonObject>()).optional(),
  required: z.array(z.string()).optional(),
});

const SVC_SIGNATURE: JsonObject = {
  name: 'Svc-Signature',
  in: 'header',
  required: true,
  description:
    'The time in Unix seconds (`t`), and the HMAC-SHA256 in hexadecimal (`v1`) of that time, a dot and the bytes of the body. A provider that changes its secret sends one `v1` for each.',
  schema: {
    type: 'string',
    pattern: '^t=[0-9]{1,12}(?:, ?v1=[0-9a-f]{64}){1,4}$',
    examples: [`t=1788775200,v1=${sha256Hex('example signature')}`],
  },
};

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer. The answer is 304 without a body while nothing has changed.',
  schema: { type: 'string', examples: [EXAMPLES.etag] },
};

function originHeader(required: boolean, description: string, schema: JsonObject): JsonObject {
  return { name: 'Origin', in: 'header', required, description, schema };
}

function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
