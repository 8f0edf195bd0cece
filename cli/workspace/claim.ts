import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { untilEnd } from '../output/times.ts';
import { openFolderProject } from '../project.ts';
import { writeLinkPage } from '../state/claim-link.ts';
import { openInBrowser } from './browser.ts';

const linkSchema = z.object({ claimUrl: z.url(), confirmCode: z.string(), expiresAt: z.iso.datetime() });

/** The output of `workspace claim`. */
export const claimOutput = z.object({
  opened: z.boolean().describe('true if a browser was opened'),
  file: z.string().nullable().describe('the file that opens the link, if no browser was opened'),
  confirmCode: z.string().describe('the person compares it with the page, and types it there'),
  expiresAt: z.string().describe('end of the link'),
});

/** Opens a claim link in the browser of the person who sits here. */
export async function claimWorkspace(context: CommandContext, options: Options): Promise<Outcome> {
  const { folder, file, client } = openFolderProject(context, ['svc', 'workspace', 'status']);
  return await folder.exclusively(context, async () => {
    const link = await client.ask({
      method: 'POST',
      path: '/v1/agent/workspace/claim-link',
      body: { provisionToken: file.provisionToken },
      idempotencyKey: randomUUID(),
      answer: linkSchema,
    });
    const page = writeLinkPage(folder, link);
    const opened = !options.flag('print-path') && (await openInBrowser(page, context.environment));
    const { confirmCode, expiresAt } = link;
    const data = { opened, file: opened ? null : page, confirmCode, expiresAt };
    const ends = ['link ends', untilEnd(expiresAt, Date.now())] as const;
    return {
      data,
      next: ['svc', 'workspace', 'status'],
      blocks: [
        opened
          ? facts(['opened', 'the console, in the browser'], ['confirm code', confirmCode], ends)
          : facts(['open this file', page], ['confirm code', confirmCode]),
      ],
    };
  });
}
