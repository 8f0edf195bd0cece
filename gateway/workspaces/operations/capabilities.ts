import { HOUR_MS } from '../../../schemas/base/time.ts';
import { checksProduct } from '../../../schemas/checks/product.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { type AnyProduct, PRODUCTS } from '../../../schemas/products.ts';
import { capabilitiesSchema } from '../../../schemas/workspaces/capabilities.ts';
import { defineRoute, type Route, type Tag } from '../../http/routing/route.ts';
import { PRINCIPALS } from '../../principals.ts';

/** The group of the OpenAPI document for the routes of workspaces. */
export const workspaceTag: Tag = {
  name: 'Workspaces',
  description:
    'A workspace holds the configuration and data of one project. An agent creates it without an account as a preview; a person attaches it to an organization by a claim link and claims it once something in it has worked.',
};

/**
 * GET `/v1/agent/capabilities`: lists products, endpoints and limits for an agent that has no credential yet.
 *
 * @param routes returns the route table, from which each answer is made. So the answer names only routes that are served.
 */
export function capabilitiesRoute(routes: () => readonly Route[]) {
  return defineRoute({
    name: 'readCapabilities',
    tag: workspaceTag,
    summary: 'Discover hosts, products, endpoints and limits',
    description:
      'Returns the hosts, the products with their endpoints, and the limits of each plan. Start here: it needs no credential.',
    method: 'GET',
    path: '/v1/agent/capabilities',
    // A client that knows any address of the service finds the others; the console is served by one of them too.
    host: 'any',
    principal: 'none',
    rate: 'management',
    body: { kind: 'none' },
    success: { status: 200, schema: capabilitiesSchema, description: 'What this service offers' },
    errors: [],
    async handle({ services }) {
      const { hosts, limits, downloads } = services;
      const browser = await services.browser();
      return {
        body: {
          version: API_VERSION,
          hosts: { ...hosts },
          products: DESCRIPTIONS.map((product) => ({
            name: product.name,
            optIn: product.optIn,
            contractVersion: product.contractVersion,
            endpoints: routes()
              .filter((route) => product.serves(route))
              .map(endpoint),
            limits: product.limits(limits),
            ...(product.name === checksProduct.name && { browser }),
          })),
          downloads: downloads.map((download) => ({ ...download })),
          openapi: `${hosts.base}/openapi.json`,
        },
      };
    },
  });
}

/** The version marker of the agent API. */
const API_VERSION = 'v1';

type PlanNumbers = Record<string, number>;

interface ProductDescription {
  readonly name: string;
  readonly optIn: boolean;
  readonly contractVersion: string;
  serves(route: Route): boolean;
  limits(limits: Limits): { preview: PlanNumbers; free: PlanNumbers };
}

/** The parts of every workspace, the products, and the limiter. */
const DESCRIPTIONS: readonly ProductDescription[] = [
  {
    name: 'workspace',
    optIn: false,
    contractVersion: API_VERSION,
    serves: ({ product, principal, path }) =>
      product === undefined && (principal === 'project' || path.startsWith('/v1/agent/')),
    limits: ({ workspace }) => ({
      preview: {
        lifetimeHours: workspace.previewMs / HOUR_MS,
        createdPerAddressHour: workspace.createdPerAddressHour,
        createdPerAddressDay: workspace.createdPerAddressDay,
      },
      free: {},
    }),
  },
  ...PRODUCTS.map(describeProduct),
  {
    name: 'limiter',
    optIn: false,
    contractVersion: API_VERSION,
    serves: (route) => route.host === 'limiter',
    // The limiter belongs to organizations. A preview of a workspace has no limits of it.
    limits: ({ limiter }) => ({ preview: {}, free: limiter }),
  },
];

function describeProduct({ name, optIn, contractVersion, limitsOf }: AnyProduct): ProductDescription {
  return {
    name,
    optIn,
    contractVersion,
    serves: (route) => route.product === name && route.principal !== 'console',
    limits: (limits) => ({ preview: limitsOf('preview', limits), free: limitsOf('free', limits) }),
  };
}

/** An endpoint of every host is named with the base host. */
function endpoint({ method, path, host, principal }: Route) {
  return {
    method,
    path: path.replaceAll(/:([A-Za-z]+)/g, '{$1}'),
    host: host === 'any' ? 'base' : host,
    auth: PRINCIPALS[principal].label,
  };
}
