import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../../gateway/http/openapi/json-schema.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { productRoutes } from '../../service/gateway.ts';
import { fitting, type JsonSchema } from '../../testing/e2e/borders/values.fixture.ts';

const RUNS = 200;

/**
 * The rules for requests that JSON Schema cannot express. The list of the run of schemathesis (`infra/testing/schemathesis`) has the
 * same reasons.
 */
const UNSAYABLE = [
  /valid checksum$/,
  /^expected a (key|source|target) other than /,
  /^expected at most the precision$/,
  /^expected a later time than from$/,
  /^expected a time from 1970 on$/,
  // Zero, or a least number: generators take no alternatives of one type.
  /^Too small: expected number to be >=120000$/,
];

/** Every schema of a request, with the place that it is for. */
const requests = productRoutes().flatMap(({ name, params, query, body }) => [
  ...(params === undefined ? [] : [[`${name} path`, params] as const]),
  ...(query === undefined ? [] : [[`${name} query`, query] as const]),
  ...(body.kind !== 'none' && body.schema !== undefined ? [[`${name} body`, body.schema] as const] : []),
]);

describe('the OpenAPI document', () => {
  it.each(requests)('allows no %s that the service refuses', (place, schema) => {
    const described = jsonSchema(schema, 'input', DEFAULT_LIMITS) as JsonSchema;
    const isParameter = !place.endsWith(' body');
    fc.assert(
      fc.property(fitting(described), (value) => {
        const result = schema.safeParse(isParameter ? asTexts(value) : value);
        const unmet = result.error?.issues.filter(
          ({ message }) => !UNSAYABLE.some((rule) => rule.test(message)),
        );
        expect(unmet ?? []).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Parameters arrive as texts. */
function asTexts(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, String(member)]));
}
