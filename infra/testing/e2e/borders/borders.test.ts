import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { PRINCIPALS } from '../../../../gateway/principals.ts';
import { mcpAnswerSchema } from '../../../../schemas/agents/http.ts';
import { errorEnvelopeSchema } from '../../../../schemas/base/errors.ts';
import { keywords } from '../../../../schemas/base/wire.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { fitting, type JsonSchema, nearly } from './values.fixture.ts';
import { buildWorld, type World } from './world.fixture.ts';

/** Requests to each route; `BORDER_RUNS=1000` looks further by hand. fast-check prints the seed of what it finds. */
const RUNS = Number(process.env['BORDER_RUNS'] ?? 12);

/** These end their caller's session or workspace when they are asked well: nothing after them would get far. */
const LAST = /signOut|endSession|changePassword|disconnect|erase|remove|revoke|rotate/i;

const routes = [...productRoutes()].sort(
  (one, other) => Number(LAST.test(one.name)) - Number(LAST.test(other.name)),
);

describe('every border', () => {
  let world: World;
  beforeAll(async () => {
    world = await buildWorld();
  });
  afterAll(() => world.service.dispose());

  it('has a caller of every kind in world.fixture.ts', () => {
    expect(Object.keys(PRINCIPALS).filter((kind) => !Object.hasOwn(world.callers, kind))).toEqual([]);
  });

  it.each(routes.map((route): [string, Route] => [route.name, route]))(
    '%s answers every request, and never with an internal error',
    async (_name, route) => {
      await fc.assert(
        fc.asyncProperty(requestTo(route, world), async ({ path, body }) => {
          const response = await fetch(`${world.service.url}${path}`, {
            method: route.method,
            redirect: 'manual',
            headers: {
              ...world.callers[route.principal],
              ...(body === null ? {} : { 'content-type': contentType(route) }),
            },
            body,
          });
          const text = await response.text();
          expect(response.status, text).toBeLessThan(500);
          expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{24}$/);
          if (response.status < 400 || isErrorOfMcp(text)) return;
          const { error } = errorEnvelopeSchema.parse(JSON.parse(text));
          expect(error.request_id).toBe(response.headers.get('x-request-id'));
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('has left the service in order', async () => {
    expect((await fetch(`${world.service.url}/readyz`)).status).toBe(200);
    const lines = world.service.output.split('\n');
    expect(lines.filter((line) => /"UnexpectedError"|RecordDeadLettered|Halted/.test(line))).toEqual([]);
  });
});

/** True for an error of the protocol inside of `POST /mcp`. */
function isErrorOfMcp(text: string): boolean {
  return mcpAnswerSchema.safeParse(JSON.parse(text)).data?.error !== undefined;
}

interface RequestParts {
  readonly path: string;
  readonly body: string | null;
}

function requestTo(route: Route, { known }: World): fc.Arbitrary<RequestParts> {
  return fc.record({ path: pathOf(route, known), body: bodyOf(route) });
}

function pathOf(route: Route, known: World['known']): fc.Arbitrary<string> {
  const segments = route.path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return fc.constant(segment);
    const value = known[segment.slice(1)];
    const anything = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', '%', '.', 'ins_'));
    const encoded = anything.map(encodeSafely).filter((text) => text !== '');
    return value === undefined ? encoded : fc.oneof({ weight: 7, arbitrary: fc.constant(value) }, encoded);
  });
  const path = fc.tuple(...segments).map((parts) => parts.join('/'));
  return fc.tuple(path, queryOf(route)).map(([base, query]) => `${base}${query}`);
}

function queryOf(route: Route): fc.Arbitrary<string> {
  if (route.query === undefined) return fc.constantFrom('', '', '?unknown=1', '?__proto__=1');
  return nearly(schemaOf(route.query)).map((query) => {
    const entries = Object.entries(Object(query)).map(([name, value]) => [name, encodeSafely(textOf(value))]);
    return `?${entries.map(([name, value]) => `${encodeSafely(name ?? '')}=${value}`).join('&')}`;
  });
}

function bodyOf(route: Route): fc.Arbitrary<string | null> {
  switch (route.body.kind) {
    case 'none':
      return fc.constantFrom(null);
    case 'stream':
      return fc.string({ unit: 'binary', maxLength: 200 });
    case 'json': {
      const schema = schemaOf(route.body.schema);
      return fc.oneof(
        { weight: 8, arbitrary: nearly(schema).map((value) => JSON.stringify(value)) },
        // Cut in the middle, or followed by something.
        fc.tuple(fitting(schema), fc.nat(100)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)),
        fc.constantFrom('', '{', '[]]', '{"a":1,"a":2}', '['.repeat(5_000), '"\\ud800"', '\ufeff{}', 'NaN'),
      );
    }
  }
}

function contentType({ body }: Route): string {
  return body.kind === 'stream' ? body.contentType : 'application/json';
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: keywords }) as JsonSchema;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A text with a lone surrogate cannot be encoded. */
function encodeSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
