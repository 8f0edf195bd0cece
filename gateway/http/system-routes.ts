import { z } from 'zod';
import { serviceError } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { defineRoute, type Route, tagged } from './routing/route.ts';

/** Tells whether the process can do its work just now. */
export interface Health {
  /** A sentence that says why it cannot, or null where it can. */
  unready(): Promise<string | null>;
}

/** The name of the route that tells if the process is ready. */
export const READINESS = 'readReadiness';

const LIVENESS_PATH = '/livez';
const READINESS_PATH = '/readyz';

/** The paths that load balancers and orchestrators ask. */
export const PROBE_PATHS: readonly string[] = [LIVENESS_PATH, READINESS_PATH];

const READY_RETRY_SECONDS = 1;

const statusSchema = z.strictObject({ status: z.literal('ok') });

const SERVICE = {
  name: 'Service',
  description: 'Probes for operators, and the description of its interface.',
};

/** Routes about the service itself: probes for its operators, and its own description. */
export function systemRoutes(health: Health, openapi: () => JsonObject): readonly Route[] {
  const common = {
    method: 'GET',
    principal: 'none',
    rate: 'none',
    body: { kind: 'none' },
    errors: [],
  } as const;
  return tagged(SERVICE, [
    defineRoute({
      ...common,
      name: 'readLiveness',
      summary: 'Reports that the process runs, without checks of its engines.',
      description: 'Returns 200 while the process runs. It asks no other process.',
      path: LIVENESS_PATH,
      host: 'any',
      success: { status: 200, schema: statusSchema, example: { status: 'ok' }, description: 'It runs.' },
      noStore: true,
      handle: async () => ({ body: { status: 'ok' } }),
    }),
    defineRoute({
      ...common,
      name: READINESS,
      summary:
        'Reports if the process can do its work: its engines answer, its clock agrees with theirs, no partition has halted.',
      description: 'Returns 200 while the process can do its work, and 503 with a reason otherwise.',
      path: READINESS_PATH,
      host: 'any',
      success: { status: 200, schema: statusSchema, example: { status: 'ok' }, description: 'It is ready.' },
      noStore: true,
      handle: async () => {
        const reason = await health.unready();
        if (reason === null) return { body: { status: 'ok' } };
        throw serviceError('unavailable', `Not ready just now. ${reason}`, READY_RETRY_SECONDS);
      },
    }),
    defineRoute({
      ...common,
      name: 'readOpenApi',
      summary: 'The description of this interface, in OpenAPI 3.1.',
      description: 'Returns this document.',
      path: '/openapi.json',
      host: 'base',
      success: {
        status: 200,
        schema: z.looseObject({ openapi: z.string() }),
        description: 'The description.',
      },
      handle: async () => ({ body: openapi() }),
    }),
  ]);
}
