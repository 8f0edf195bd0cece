import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { listing } from '../output/listing.ts';
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
  const { get } = openProject(context, ['svc', 'doctor']);
  const data = await get('/svcfeedback/widgets', widgetsOutput);
  const rows = data.widgets.map(({ widgetId, origin, counts, verified }) => [
    widgetId,
    origin,
    Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
    verified === null ? 'no' : 'yes',
  ]);
  const head = ['widget', 'origin', 'submissions', 'verified'];
  return listing(data, { head, rows, first: ['svc', 'help', 'feedback', 'create'] });
}
