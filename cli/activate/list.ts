import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { listing } from '../output/listing.ts';
import { openProject } from '../project.ts';

/** The output of `activate list`. */
export const checklistsOutput = z.object({
  checklists: z.array(
    z.object({
      checklistId: z.string(),
      name: z.string(),
      revision: z.number().describe('the current one'),
      allowedOrigins: z.array(z.string()),
      createdAt: z.string(),
      updatedAt: z.string(),
    }),
  ),
});

/** Lists the checklists in the order in which they were made. */
export async function listChecklists(context: CommandContext): Promise<Outcome> {
  const { get } = openProject(context, ['svc', 'doctor']);
  const data = await get('/svcactivate/checklists', checklistsOutput);
  const rows = data.checklists.map(({ checklistId, name, revision, updatedAt }) => [
    checklistId,
    name,
    String(revision),
    updatedAt,
  ]);
  const head = ['checklist', 'name', 'revision', 'updated'];
  return listing(data, { head, rows, first: ['svc', 'help', 'activate', 'create'] });
}
