import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { type Block, facts, line, table } from '../output/blocks.ts';
import { untilEnd } from '../output/times.ts';
import { openProject, type Project } from '../project.ts';
import { removeEndedLink } from '../state/claim-link.ts';
import type { PrivateFolder } from '../state/private-folder.ts';

const quota = z.object({
  limit: z.number(),
  used: z.number(),
  remaining: z.number(),
  resetsAt: z.string().nullable().describe('null if it never resets'),
});

export const statusOutput = z.object({
  workspaceId: z.string(),
  installationId: z.string(),
  name: z.string(),
  cohort: z.string(),
  products: z.array(z.string()).describe('products of the workspace'),
  state: z.string().describe('`preview`, `active`, `paused`, `disconnected` or `expired`'),
  plan: z.string().describe('`preview` or `free`'),
  createdAt: z.string(),
  expiresAt: z.string().nullable().describe('null for a claimed workspace'),
  console: z.string().describe('address where an owner opens the workspace'),
  activation: z.object({
    attachedAt: z.string().nullable().describe('null until a person has opened the claim link'),
    claimedAt: z.string().nullable(),
  }),
  limits: z.record(z.string(), z.record(z.string(), quota)).describe('by product and limit'),
});

export type Status = z.infer<typeof statusOutput>;

/** The way on after the end of a workspace. */
export const ENDED = 'The workspace has ended. Move .svc away, then create another one.';

/** Reads state and limits of the workspace. */
export async function readStatus(context: CommandContext): Promise<Outcome> {
  const project = openProject(context, ['svc', 'doctor']);
  return statusOutcome(project.folder, await askStatus(project));
}

/** Shows a workspace. After the end of one, its folder is of no further use. */
export function statusOutcome(folder: PrivateFolder | null, status: Status): Outcome {
  if (folder !== null) removeUsedLink(folder, status);
  const blocks = [factsOf(status)];
  if (!hasEnded(status)) {
    const used = usedUp(status);
    blocks.push(...limitBlocks(status));
    if (used.length === 0) return { data: status, blocks };
    return { data: status, blocks: [...blocks, line(raising(used))], next: ['svc', 'workspace', 'claim'] };
  }
  return {
    data: status,
    blocks: [...blocks, line(ENDED)],
    exit: 'missing',
    ...(folder === null ? {} : { next: folder.moveAway() }),
  };
}

/** The limits that a preview has used up, and that a person who claims it can raise. An attached one needs no link any more. */
function usedUp({ plan, activation, limits }: Status): string[] {
  if (plan !== 'preview' || activation.attachedAt !== null) return [];
  return Object.values(limits).flatMap((quotas) =>
    Object.entries(quotas).flatMap(([name, { used, remaining }]) =>
      used > 0 && remaining === 0 ? [name] : [],
    ),
  );
}

function raising(used: readonly string[]): string {
  const limits = used.length === 1 ? 'limit' : 'limits';
  return `The preview has used up its ${limits} of ${used.join(', ')}. Once a person has claimed it, there are more.`;
}

/** Removes the page of the link that has attached the workspace. */
export function removeUsedLink(folder: PrivateFolder, { activation }: Status): void {
  if (activation.attachedAt !== null) removeEndedLink(folder, Number.POSITIVE_INFINITY);
}

/** True for a workspace that nothing brings back. */
export function hasEnded({ state }: Status): boolean {
  return state === 'expired' || state === 'disconnected';
}

/** Asks for the workspace, in any state. */
export async function askStatus({ client }: Pick<Project, 'client'>): Promise<Status> {
  return await client.ask({ method: 'GET', path: '/v1/agent/workspace', answer: statusOutput });
}

/** Lays a workspace out for a person. */
function factsOf(status: Status): Block {
  const { activation } = status;
  return facts(
    ['workspace', `${status.workspaceId} (${status.name})`],
    ['installation', status.installationId],
    ['state', `${status.state}, plan ${status.plan}, cohort ${status.cohort}`],
    ['products', status.products.join(', ') || 'none opted into'],
    ['ends', status.expiresAt === null ? 'never' : untilEnd(status.expiresAt, Date.now())],
    ['attached', activation.attachedAt ?? 'not yet'],
    ['claimed', activation.claimedAt ?? 'not yet'],
    ['console', status.console],
  );
}

function limitBlocks({ limits }: Status): Block[] {
  const rows = Object.entries(limits).flatMap(([product, quotas]) =>
    Object.entries(quotas).map(([name, { limit, used, remaining, resetsAt }]) => [
      product,
      name,
      String(used),
      String(limit),
      String(remaining),
      resetsAt ?? 'never',
    ]),
  );
  return rows.length === 0 ? [] : [table(['product', 'limit', 'used', 'of', 'left', 'resets'], rows)];
}
