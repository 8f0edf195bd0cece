import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, line } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { CHECK_VERSION } from './version.ts';

/** The output of `check origin` and `check confirm`. */
export const originOutput = z.object({
  originId: z.string(),
  origin: z.string(),
  state: z.string().describe('`pending` or `verified`'),
  challenge: z
    .object({ url: z.string(), content: z.string(), expiresAt: z.string() })
    .describe('the text to publish as `text/plain`, and where'),
  verifiedAt: z.string().nullable(),
  renewBy: z.string().nullable().describe('time by which the origin has to be confirmed again'),
});

type Origin = z.infer<typeof originOutput>;

/** Names an origin. */
export async function createOrigin(context: CommandContext, options: Options): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'help', 'check', 'origin']);
  const origin = await client.ask({
    method: 'POST',
    path: installationPath('/svccheck/origins'),
    body: {
      schemaVersion: CHECK_VERSION,
      // The service keeps one origin of each address, so every request may have another key.
      idempotencyKey: `cli-${randomUUID()}`,
      origin: options.text('origin'),
      verificationMethod: 'well_known_file',
    },
    answer: originOutput,
  });
  return originOutcome(origin);
}

/** Proves an origin by its published challenge. */
export async function confirmOrigin(context: CommandContext, options: Options): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'help', 'check', 'origin']);
  const origin = await client.ask({
    method: 'POST',
    path: installationPath(`/svccheck/origins/${options.text('origin-id')}/confirm`),
    body: { schemaVersion: CHECK_VERSION, idempotencyKey: `cli-${randomUUID()}` },
    answer: originOutput,
  });
  return originOutcome(origin);
}

function originOutcome(origin: Origin): Outcome {
  const { originId, state, challenge, renewBy } = origin;
  const shown = facts(['origin', `${originId}, ${origin.origin}`], ['state', state]);
  if (state === 'verified') {
    return {
      data: origin,
      blocks: [shown, facts(['renew by', renewBy ?? ''])],
      next: ['svc', 'help', 'check', 'create'],
    };
  }
  return {
    data: origin,
    blocks: [
      shown,
      line('Publish this text as text/plain, and keep it published:'),
      facts(['address', challenge.url], ['text', challenge.content], ['until', challenge.expiresAt]),
    ],
    next: ['svc', 'check', 'confirm', '--origin-id', originId],
  };
}
