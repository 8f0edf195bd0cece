import { capabilitiesSchema } from '../../schemas/workspaces/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const { products, hosts, downloads } = capabilitiesSchema.shape;
const BASE = 'https://api.example.com';
const HOSTS = {
  base: BASE,
  limiter: 'https://limiter.example.com',
  ingest: 'https://ingest.example.com',
  console: 'https://console.example.com',
  dashboard: 'https://dashboard.example.com',
};
const ENDPOINT = { method: 'GET', path: '/v1/agent/workspace', host: 'base', auth: 'project' };
const PLAN_LIMITS = { preview: { lifetimeHours: 72 }, free: {} };
const DESCRIBED_PRODUCT = {
  name: 'workspace',
  optIn: false,
  contractVersion: 'v1',
  endpoints: [ENDPOINT],
  limits: PLAN_LIMITS,
};

const DOWNLOAD = {
  name: 'svc-cli-v0.4.0.js',
  version: '0.4.0',
  url: `${BASE}/downloads/svc-cli-v0.4.0.js`,
  bytes: 200_480,
  sha256: EXAMPLES.sessionId,
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
};

/** The answer to GET `/v1/agent/capabilities`. */
export const capabilitySchemas = [
  nameSchema(
    'ServiceCapabilities',
    capabilitiesSchema,
    'Everything that an agent needs to begin.',
    {
      version: 'v1',
      hosts: HOSTS,
      products: [DESCRIBED_PRODUCT],
      downloads: [DOWNLOAD],
      openapi: `${BASE}/openapi.json`,
    },
    {
      version: 'The version of the agent API.',
      products: 'The products with their endpoints and limits.',
      downloads: 'The command-line tool and the scripts of widgets.',
      openapi: 'The address of the OpenAPI document.',
    },
  ),
  nameSchema('ServiceHosts', hosts, 'The addresses of the hosts. Several can be the same.', HOSTS, {
    base: 'The main API.',
    limiter: 'Rate-limit checks.',
    ingest: 'Uploads, browsers and import delivery.',
    console: 'The console of owners.',
    dashboard: 'The dashboard of API keys.',
  }),
  nameSchema('ServiceProduct', products.element, 'A product of the service.', DESCRIBED_PRODUCT, {
    optIn: 'True if a workspace has it only if its creation names it.',
    contractVersion: 'The version marker of the product.',
    endpoints: 'The operations for agents, backends and browsers.',
  }),
  nameSchema('ServiceEndpoint', products.element.shape.endpoints.element, 'An operation.', ENDPOINT, {
    method: 'The HTTP method.',
    path: 'The path, with parameters in braces.',
    host: 'The host, as a member of `hosts`.',
    auth: 'The kind of credential.',
  }),
  nameSchema('PlanLimits', products.element.shape.limits, 'Limits by plan and name.', PLAN_LIMITS, {
    preview: 'Limits of a preview.',
    free: 'Limits of a claimed workspace.',
  }),
  nameSchema('Download', downloads.element, 'A file to download.', DOWNLOAD, {
    name: 'The name of the file.',
    version: 'Its version.',
    url: 'Its address.',
    bytes: 'Its size in bytes.',
    sha256: 'Its SHA-256 in hexadecimal.',
    integrity: 'Its digest for Subresource Integrity.',
  }),
];
