import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from './route.ts';
import { checkRouteTable } from './route-table.ts';
import { TEST_ROUTES } from './test-routes.fixture.ts';

const named = (name: string): Route => {
  const found = TEST_ROUTES.find((route) => route.name === name);
  if (found === undefined) throw new Error(`finding the test route ${name}`);
  return found;
};

describe('checkRouteTable', () => {
  it('accepts routes that agree with themselves and each other', () => {
    expect(() => checkRouteTable(TEST_ROUTES)).not.toThrow();
  });

  const things = named('project-things');
  const { whenPaused: _whenPaused, ...withoutPause } = things;
  const { params: _params, ...withoutParams } = things;
  const echo = named('anonymous-echo');

  it.each<[string, Route, string]>([
    ['a name that is taken', { ...echo, path: '/v1/other' }, 'its name is taken'],
    ['a path and method that are taken', { ...echo, name: 'other' }, 'POST /v1/echo is taken'],
    [
      'a path that differs by the name of a parameter only',
      {
        ...things,
        name: 'other',
        path: '/v1/installations/:other/things',
        params: z.strictObject({ other: z.string() }),
      },
      'is taken',
    ],
    [
      'a path for pages that another method keeps from them',
      { ...named('session-things'), name: 'other', path: '/v1/echo', method: 'PUT' },
      'must be for pages',
    ],
    ['a name that breaks idempotency scopes', { ...echo, name: 'a:b' }, 'operation names'],
    ['a path with a pattern', { ...echo, name: 'other', path: '/v1/*rest' }, 'plain segments'],
    ['parameters without a schema', { ...withoutParams, name: 'other', path: '/v1/:id' }, 'path parameters'],
    [
      'a schema of other parameters',
      { ...things, name: 'other', path: '/v1/:id', params: z.strictObject({ other: z.string() }) },
      'path parameters',
    ],
    [
      'a workspace without a word on pauses',
      { ...withoutPause, name: 'other', path: '/v2/:installationId' },
      'whenPaused',
    ],
    [
      'a pause without a workspace',
      { ...echo, name: 'other', path: '/v2', whenPaused: 'refused' },
      'whenPaused',
    ],
    [
      'a product without a workspace',
      { ...echo, name: 'other', path: '/v2', product: 'svcimport' },
      'product',
    ],
    ['a GET with a body', { ...echo, name: 'other', path: '/v2', method: 'GET' }, 'GET accepts no body'],
    [
      'a console route with a stream',
      {
        ...named('console-leave'),
        name: 'other',
        path: '/v2',
        body: { kind: 'stream', contentType: 'text/csv' },
      },
      'JSON only',
    ],
    [
      'an answer without a schema',
      { ...echo, name: 'other', path: '/v2', success: { status: 200, description: 'It.' } },
      'success schema',
    ],
  ])('refuses %s', (_name, route, message) => {
    expect(() => checkRouteTable([...TEST_ROUTES, route])).toThrow(message);
  });
});
