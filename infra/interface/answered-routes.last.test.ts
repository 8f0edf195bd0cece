import { describe, expect, it } from 'vitest';
import { notedRoutes } from '../e2e/answered-routes.ts';
import { productRoutes } from '../service/gateway.ts';

describe('the tests that ran before', () => {
  it('have got an answer from every route over HTTP', () => {
    const noted = notedRoutes();
    const unanswered = productRoutes().filter(({ name }) => noted?.has(name) !== true);
    expect(unanswered.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
