import { z } from 'zod';
import { sha256Hex } from '../base/digest.ts';
import { browserStateSchema } from '../checks/browser-state.ts';

const BASE = 'https://api.example.com';

const address = (name: string) => z.url().meta({ example: `https://${name}.example.com` });

const hostsSchema = z
  .strictObject({
    base: address('api').describe('The main API.'),
    limiter: address('limiter'),
    ingest: address('ingest').describe('Uploads, browsers and import delivery.'),
    console: address('console').describe('The console of owners.'),
    dashboard: address('dashboard').describe('The dashboard of API keys.'),
  })
  .meta({
    id: 'ServiceHosts',
    description: 'The addresses of the hosts. Several can be the same.',
  });

const endpointSchema = z
  .strictObject({
    method: z.string().meta({ example: 'GET' }),
    path: z
      .string()
      .meta({ description: 'The path, with parameters in braces.', example: '/v1/agent/workspace' }),
    host: z.string().meta({ description: 'The host, as a member of `hosts`.', example: 'base' }),
    auth: z.string().meta({ description: 'The kind of credential.', example: 'project' }),
  })
  .meta({ id: 'ServiceEndpoint', description: 'An operation.' });

const planNumbersSchema = z.record(z.string(), z.number());

const describedProductSchema = z
  .strictObject({
    name: z.string().meta({ example: 'workspace' }),
    optIn: z.boolean().describe('True if a workspace has it only if its creation names it.'),
    contractVersion: z.string().meta({ description: 'The version marker of the product.', example: 'v1' }),
    endpoints: z.array(endpointSchema).describe('The operations for agents, backends and browsers.'),
    limits: z
      .strictObject({
        preview: planNumbersSchema.meta({
          description: 'Limits of a preview.',
          example: { lifetimeHours: 72 },
        }),
        free: planNumbersSchema.describe('Limits of a claimed workspace.'),
      })
      .meta({ id: 'PlanLimits', description: 'Limits by plan and name.' }),
    browser: browserStateSchema
      .optional()
      .describe(
        'Of browser checks: `ready`, `missing` if the service has no browser at the moment, or `unknown`.',
      ),
  })
  .meta({ id: 'ServiceProduct', description: 'A product of the service.' });

const downloadSchema = z
  .strictObject({
    name: z.string().meta({ description: 'The name of the file.', example: 'svc-cli-v0.4.0.js' }),
    version: z.string().meta({ example: '0.4.0' }),
    url: z.url().meta({ example: `${BASE}/downloads/svc-cli-v0.4.0.js` }),
    bytes: z.int().nonnegative().meta({ example: 200_480 }),
    sha256: z.string().meta({
      description: 'Its SHA-256 in hexadecimal.',
      get example() {
        return sha256Hex('example download');
      },
    }),
    integrity: z.string().meta({
      description: 'Its digest for Subresource Integrity.',
      example: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    }),
  })
  .meta({ id: 'Download', description: 'A file to download.' });

/** A file to download, as the capabilities list it. */
export type Download = z.infer<typeof downloadSchema>;

/** GET `/v1/agent/capabilities`. */
export const capabilitiesSchema = z
  .strictObject({
    version: z.string().meta({ description: 'The version of the agent API.', example: 'v1' }),
    hosts: hostsSchema,
    products: z.array(describedProductSchema).describe('The products with their endpoints and limits.'),
    downloads: z.array(downloadSchema).describe('The command-line tool and the scripts of widgets.'),
    openapi: z.url().meta({
      description: 'The address of the OpenAPI document.',
      example: `${BASE}/openapi.json`,
    }),
  })
  .meta({
    id: 'ServiceCapabilities',
    description: 'Everything that an agent needs to begin.',
  });
