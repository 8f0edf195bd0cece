import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { untilEnd } from '../output/times.ts';
import { openFolderProject } from '../project.ts';
import { writeLinkPage } from '../state/claim-link.ts';
import { withPendingKey } from '../state/pending-keys.ts';
import type { PrivateFolder } from '../state/private-folder.ts';
import { missingProvisionToken } from '../state/workspace-file.ts';
import { openInBrowser } from './browser.ts';
import { askStatus, removeUsedLink, type Status } from './status.ts';

const linkSchema = z.object({ claimUrl: z.url(), confirmCode: z.string(), expiresAt: z.iso.datetime() });

/** The output of `workspace claim`. */
export const claimOutput = z.object({
  opened: z.boolean().describe('true if a browser was opened'),
  file: z.string().describe('the file that opens the link: a browser can fail to show it'),
  confirmCode: z.string().describe('the person compares it with the page, and types it there'),
  expiresAt: z.string().describe('end of the link'),
});

/** Opens a claim link in the browser of the person who sits here. */
export async function claimWorkspace(context: CommandContext, options: Options): Promise<Outcome> {
  const { folder, file, client } = openFolderProject(context, ['svc', 'workspace', 'status']);
  const status = await folder.exclusively(context, async () => {
    const read = await askStatus({ client });
    requireUnattached(folder, read);
    return read;
  });
  if (file.provisionToken === missingProvisionToken()) throw createdElsewhere(status);
  return await withPendingKey(folder, context, 'workspace claim', async (idempotencyKey) => {
    const link = await client
      .ask({
        method: 'POST',
        path: '/v1/agent/workspace/claim-link',
        body: { provisionToken: file.provisionToken },
        idempotencyKey,
        answer: linkSchema,
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof CommandFailure && error.code === 'forbidden')) throw error;
        requireUnattached(folder, await askStatus({ client }));
        // An earlier version has put another token into the file of a directory that did not create the workspace.
        throw createdElsewhere(status);
      });
    const page = writeLinkPage(folder, link);
    const opened = !options.flag('print-path') && (await openInBrowser(page, context.inherited));
    const { confirmCode, expiresAt } = link;
    return {
      data: { opened, file: page, confirmCode, expiresAt },
      next: ['svc', 'workspace', 'status'],
      blocks: [
        facts(
          opened ? ['opened in the browser', page] : ['open this file', page],
          ['confirm code', confirmCode],
          ['link ends', untilEnd(expiresAt, Date.now())],
        ),
      ],
    };
  });
}

/** Makes the failure of a directory that has the workspace from another one, and not the token of its creation. */
function createdElsewhere({ expiresAt }: Status): CommandFailure {
  return new CommandFailure(
    `Only the directory that created this preview can claim it: run workspace claim there. Unclaimed, it ends at ${expiresAt} with everything in it.`,
    { code: 'created_elsewhere', exit: 'failed' },
  );
}

/** @throws {CommandFailure} if the workspace has an organization: it needs no link any more */
function requireUnattached(folder: PrivateFolder, status: Status): void {
  removeUsedLink(folder, status);
  const { activation, console } = status;
  if (activation.attachedAt === null) return;
  const said =
    activation.claimedAt === null
      ? 'The workspace is attached to an organization already. An owner claims it'
      : 'A person has claimed the workspace already. Its owners open it';
  throw new CommandFailure(`${said} in the console: ${console}`, {
    code: 'already_attached',
    exit: 'failed',
    next: ['svc', 'workspace', 'status'],
  });
}
