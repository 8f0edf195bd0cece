import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { table } from '../output/blocks.ts';
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
  const { client, installationPath } = openProject(context, ['svc', 'doctor']);
  const data = await client.ask({
    method: 'GET',
    path: installationPath('/svcactivate/checklists'),
    answer: checklistsOutput,
  });
  return {
    data,
    blocks: [
      table(
        ['checklist', 'name', 'revision', 'updated'],
        data.checklists.map(({ checklistId, name, revision, updatedAt }) => [
          checklistId,
          name,
          String(revision),
          updatedAt,
        ]),
      ),
    ],
  };
}
