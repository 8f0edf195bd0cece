import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, line } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { requireBrowser } from './browser.ts';
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
  replacedOrigin: z.string().optional().describe('former origin of the preview, if this one has replaced it'),
});

type Origin = z.infer<typeof originOutput>;

/** Names an origin. */
export async function createOrigin(context: CommandContext, options: Options): Promise<Outcome> {
  const project = openProject(context, ['svc', 'help', 'check', 'origin']);
  await requireBrowser(project);
  const { post } = project;
  const origin = await post('/svccheck/origins', originOutput, {
    schemaVersion: CHECK_VERSION,
    // The service keeps one origin of each address, so every request may have another key.
    idempotencyKey: `cli-${randomUUID()}`,
    origin: options.text('origin'),
    verificationMethod: 'well_known_file',
  });
  return originOutcome(origin);
}

/** Proves an origin by its published challenge. */
export async function confirmOrigin(context: CommandContext, options: Options): Promise<Outcome> {
  const { post } = openProject(context, ['svc', 'help', 'check', 'origin']);
  const origin = await post(`/svccheck/origins/${options.text('origin-id')}/confirm`, originOutput, {
    schemaVersion: CHECK_VERSION,
    idempotencyKey: `cli-${randomUUID()}`,
  });
  return originOutcome(origin);
}

function originOutcome(origin: Origin): Outcome {
  const { originId, state, challenge, renewBy, replacedOrigin } = origin;
  const shown = facts(
    ['origin', `${originId}, ${origin.origin}`],
    ...(replacedOrigin === undefined ? [] : [['replaces', replacedOrigin] as const]),
    ['state', state],
  );
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
