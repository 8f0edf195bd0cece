import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../schemas/base/error-codes.ts';
import { activateRoutes } from '../../activate/routes.ts';
import { auditRoutes } from '../../audit/routes.ts';
import { checkRoutes } from '../../checks/routes.ts';
import { importRoutes } from '../../imports/routes.ts';
import { peopleRoutes } from '../../people/routes.ts';
import { workspaceRoutes } from '../../workspaces/routes.ts';
import { type RunningGateway, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import { errorCodes } from './errors.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  // biome-ignore lint/suspicious/noExplicitAny: The test looks into parts of a document that it has just validated.
  readonly responses: Record<string, any>;
}

const UPLOADED = { type: 'string', format: 'binary', contentMediaType: 'text/csv' };

let running: RunningGateway;
// biome-ignore lint/suspicious/noExplicitAny: As above.
let document: any;
beforeAll(async () => {
  running = await startGateway([
    ...TEST_ROUTES,
    ...workspaceRoutes,
    ...peopleRoutes,
    ...importRoutes,
    ...activateRoutes,
    ...auditRoutes,
    ...checkRoutes,
  ]);
  document = (await running.send({ path: '/openapi.json' })).body;
});
afterAll(() => running.close());

const operationOf = (path: string, method: string): Operation =>
  document.paths[path.replace(/:([A-Za-z]+)/g, '{$1}')][method.toLowerCase()];

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('describes every route, and nothing else', () => {
    const described = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const routed = running.gateway.routes.map(
      ({ method, path, name }) => `${method.toLowerCase()} ${path.replace(/:([A-Za-z]+)/g, '{$1}')} ${name}`,
    );
    expect(described.sort()).toEqual(routed.sort());
  });

  it('agrees with the registry of errors about every status and code', () => {
    for (const route of running.gateway.routes) {
      const { responses } = operationOf(route.path, route.method);
      const codes: ErrorCode[] = [];
      for (const [status, { $ref }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const response = document.components.responses[$ref.replace('#/components/responses/', '')];
        const { schema } = response.content['application/json'];
        for (const code of schema.properties.error.properties.code.enum as ErrorCode[]) {
          expect(ERRORS[code].status).toBe(Number(status));
          expect(response.description).toContain(ERRORS[code].meaning);
          codes.push(code);
        }
      }
      expect(codes.sort()).toEqual(errorCodes(route));
    }
    const { code } = document.components.schemas.ErrorDetail.properties;
    expect(code.enum).toEqual(Object.keys(ERRORS));
  });

  it('gives each body a schema and no header a constant, because generators leave out what they cannot read', () => {
    for (const route of running.gateway.routes) {
      const { requestBody } = operationOf(route.path, route.method);
      for (const content of Object.values(requestBody?.content ?? {}))
        expect(content).toHaveProperty('schema');
    }
    const { content } = operationOf('/v1/import/uploads/:importId', 'PUT').requestBody ?? {};
    expect(content).toEqual({ 'text/csv': expect.objectContaining({ schema: UPLOADED }) });
    for (const { schema } of Object.values<{ schema: object }>(document.components.parameters)) {
      expect(schema).not.toHaveProperty('const');
    }
    expect(document.components.parameters.ConsoleOrigin.schema.enum).toHaveLength(1);
  });

  it('says which member tells alternatives apart, and which answers are bytes', () => {
    const { ImportField, CheckFlow } = document.components.schemas;
    expect(ImportField.discriminator).toMatchObject({
      propertyName: 'type',
      mapping: { decimal: '#/components/schemas/DecimalField' },
    });
    expect(CheckFlow.properties.steps.items.discriminator.mapping).toMatchObject({
      expect_title: '#/components/schemas/ExpectTitleStep',
    });
    const contentOf = (path: string) => operationOf(path, 'GET').responses['200'].content;
    const picture = contentOf('/v1/console/workspaces/:workspaceId/runs/:runId/screenshot');
    expect(picture['image/png'].schema).toEqual({ type: 'string', format: 'binary' });
    const errors = contentOf('/v1/console/workspaces/:workspaceId/imports/:importId/errors.csv');
    expect(errors['text/csv'].schema).toEqual({ type: 'string' });
  });

  it('names principals, parameters and bodies', () => {
    const things = operationOf('/v1/installations/:installationId/things', 'POST');
    expect(things).toMatchObject({
      operationId: 'project-things',
      security: [{ project: [] }],
      parameters: [{ $ref: '#/components/parameters/InstallationId' }],
      requestBody: { content: { 'application/json': { schema: { required: ['name'] } } } },
    });
    expect(operationOf('/v1/installations/:installationId/things', 'GET').parameters).toMatchObject([
      { $ref: '#/components/parameters/InstallationId' },
      { name: 'index', in: 'query', required: false },
    ]);
    expect(document.components.parameters).toMatchObject({
      InstallationId: { name: 'installationId', in: 'path', required: true },
      IdempotencyKey: { name: 'Idempotency-Key', in: 'header', required: false },
    });
    expect(operationOf('/v1/uploads/:importId', 'PUT').requestBody?.content).toHaveProperty('text/csv');
    expect(operationOf('/v1/echo', 'POST').parameters).toMatchObject([
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
    expect(operationOf('/v1/echo', 'POST').security).toEqual([]);
    expect(operationOf('/v1/console/leave', 'POST').responses['204']).not.toHaveProperty('content');
  });

  it('names the codes that follow from the rules of a route', () => {
    const named = (name: string) => running.gateway.routes.filter((candidate) => candidate.name === name);
    const codes = (name: string) => named(name).flatMap(errorCodes);
    expect(codes('readLiveness')).toEqual(['bad_request', 'internal_error', 'unavailable']);
    expect(codes('console-things')).toEqual([
      'bad_request',
      'expired',
      'forbidden',
      'internal_error',
      'membership_ended',
      'not_found',
      'organization_required',
      'origin_not_allowed',
      'payload_too_large',
      'product_not_enabled',
      'rate_limited',
      'session_required',
      'unavailable',
      'unsupported_media_type',
      'workspace_disconnected',
      'workspace_paused',
    ]);
    expect(codes('project-read')).not.toContain('expired');
    expect(named('readLiveness').flatMap((route) => errorCodes({ ...route, operator: true }))).toContain(
      'not_found',
    );
  });
});
