import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { facts, table } from '../output/blocks.ts';
import { clientOf, givenBaseUrl, readProject } from '../project.ts';

const numbers = z.record(z.string(), z.number());

/** The output of `workspace discover`. */
export const discoverOutput = z.object({
  version: z.string().describe('version of the agent API'),
  hosts: z.record(z.string(), z.string()).describe('address of each host'),
  products: z.array(
    z.object({
      name: z.string(),
      optIn: z.boolean().describe('true if `workspace create --products` has to name it'),
      contractVersion: z.string(),
      limits: z.object({ preview: numbers, free: numbers }).describe('limits by plan and name'),
    }),
  ),
  downloads: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      url: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      integrity: z.string().describe('for Subresource Integrity'),
    }),
  ),
  openapi: z.string().describe('address of the OpenAPI document'),
});

/** Lists what a service offers. Needs no credential. */
export async function discover(context: CommandContext): Promise<Outcome> {
  const baseUrl =
    context.baseUrl === null
      ? (readProject(context)?.file.baseUrl ?? givenBaseUrl(context))
      : givenBaseUrl(context);
  const client = clientOf(context, { baseUrl, credential: null, next: ['svc', 'doctor'] });
  const data = await client.ask({ method: 'GET', path: '/v1/agent/capabilities', answer: discoverOutput });
  return {
    data,
    blocks: [
      facts(...Object.entries(data.hosts), ['openapi', data.openapi]),
      table(
        ['product', 'opt-in', 'version'],
        data.products.map(({ name, optIn, contractVersion }) => [
          name,
          optIn ? 'yes' : 'no',
          contractVersion,
        ]),
      ),
      table(
        ['product', 'limit', 'preview', 'Free'],
        data.products.flatMap(({ name, limits }) =>
          [...new Set([...Object.keys(limits.preview), ...Object.keys(limits.free)])].map((limit) => [
            name,
            limit,
            String(limits.preview[limit] ?? '–'),
            String(limits.free[limit] ?? '–'),
          ]),
        ),
      ),
    ],
  };
}
