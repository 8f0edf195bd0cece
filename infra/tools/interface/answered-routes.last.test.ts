import { describe, expect, it } from 'vitest';
import { productRoutes } from '../../service/gateway.ts';
import { notedRoutes } from '../service-process/answered-routes.ts';

describe('the tests that ran before', () => {
  it('have got an answer from every route over HTTP', () => {
    const noted = notedRoutes();
    const unanswered = productRoutes().filter(({ name }) => noted?.has(name) !== true);
    expect(unanswered.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
