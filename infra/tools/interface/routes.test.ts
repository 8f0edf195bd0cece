import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../../../gateway/http/openapi/errors.ts';
import type { Route } from '../../../gateway/http/routing/route.ts';
import { keywords } from '../../../schemas/base/wire.ts';
import { productRoutes } from '../../service/gateway.ts';

const routes = productRoutes();
const byName = routes.map((route): [string, Route] => [route.name, route]);

/** The routes that do not count against the limit for management, by name: a new route counts unless it is here. */
const UNCOUNTED = new Set([
  'check',
  'checkSeveral',
  'checkEach',
  'readLimiterHealth',
  'issueProgressSession',
  'readProgress',
  'mintImportSession',
  'readImportSession',
  'reserveSessionImport',
  'readSessionImport',
  'readSessionSource',
  'readSessionRows',
  'readSessionErrors',
  'mapSessionImport',
  'validateSessionImport',
  'approveSessionImport',
  'cancelSessionImport',
  'loadWidget',
  'readOperationsSummary',
  'listTopics',
  'readOperationsHistory',
  'readActivity',
]);

/** Members whose value is a secret or leads to one: no cache may keep such an answer. */
const SECRET_MEMBERS =
  /^(credential|capability|key|token|uploadToken|sessionToken|provisionToken|claimUrl|confirmCode|url)$/;

describe.each(byName)('%s', (name, route) => {
  it('says who may call it, and for whom', () => {
    expect(route.principal).toMatch(/^[a-z]+$/);
    expect(route.roles === undefined).toBe(route.principal !== 'console');
    expect(route.summary).toMatch(/^[A-Z].*[^.]$|^[A-Z].*\.$/);
  });

  it('has limits: of requests, and of what a body may hold', () => {
    expect(route.rate === 'none').toBe(UNCOUNTED.has(name));
    if (route.body.kind === 'json') expect(route.body.limit).toMatch(/Bytes$/);
  });

  it('has schemas for what it takes and what it answers', () => {
    const { success, body } = route;
    const answersBody = success.status !== 204 && success.status !== 302;
    expect(success.schema !== undefined || success.attachment !== undefined).toBe(answersBody);
    if (body.kind === 'json' && name !== 'check') expect(refusesUnknown(body.schema)).toBe(true);
  });

  it('has error codes, each once', () => {
    const codes = errorCodes(route);
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('lets no cache keep a secret', () => {
    if (route.success.schema === undefined) return;
    const described = z.toJSONSchema(route.success.schema, {
      io: 'output',
      unrepresentable: 'any',
      metadata: keywords,
    });
    const secrets = Object.keys(described.properties ?? {}).filter((member) => SECRET_MEMBERS.test(member));
    if (secrets.length > 0) expect(route.noStore, secrets.join()).toBe(true);
  });
});

/** True if a body with an unknown member is refused. */
function refusesUnknown(schema: z.ZodType): boolean {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: keywords });
  const alternatives = described.anyOf ?? described.oneOf ?? [described];
  return alternatives.every((each) => typeof each === 'object' && each.additionalProperties === false);
}
