import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { table } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { widgetOutput } from './create.ts';

/** The output of `feedback list`. */
export const widgetsOutput = z.object({
  widgets: z.array(
    widgetOutput.extend({
      counts: z.record(z.string(), z.number()).describe('the submissions by state'),
      verified: z.object({ submissionId: z.string(), receivedAt: z.string() }).nullable(),
    }),
  ),
});

/** Lists the widgets with the numbers of their submissions. */
export async function listWidgets(context: CommandContext): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'doctor']);
  const data = await client.ask({
    method: 'GET',
    path: installationPath('/svcfeedback/widgets'),
    answer: widgetsOutput,
  });
  const rows = data.widgets.map(({ widgetId, origin, counts, verified }) => [
    widgetId,
    origin,
    Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
    verified === null ? 'no' : 'yes',
  ]);
  return { data, blocks: [table(['widget', 'origin', 'submissions', 'verified'], rows)] };
}
