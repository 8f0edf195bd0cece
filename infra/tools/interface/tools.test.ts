import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/mcp/tool.ts';
import { TOOLS } from '../../../schemas/mcp/tools.ts';
import { productRoutes } from '../../service/gateway.ts';

const routes = productRoutes();
const byName = TOOLS.map((tool): [string, Tool] => [tool.name, tool]);

const routeOf = ({ method, path }: Tool['operations'][number]) =>
  routes.find((route) => route.method === method && route.path === path);

describe.each(byName)('the tool %s', (_name, { operations, output }) => {
  it('calls operations that its caller may send over HTTP as well', () => {
    for (const operation of operations) {
      const route = routeOf(operation);
      expect(['base', 'any'], operation.path).toContain(route?.host);
      expect(['project', 'none']).toContain(route?.principal);
    }
  });

  it('answers what these operations answer', () => {
    const schemas = operations.map((operation) => routeOf(operation)?.success.schema);
    // The one tool that reads several operations has their answers as members.
    if (new Set(schemas).size === 1) expect(output).toBe(schemas[0]);
    else expect(operations.every(({ method }) => method === 'GET')).toBe(true);
  });
});
