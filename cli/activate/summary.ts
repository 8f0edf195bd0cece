import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, table } from '../output/blocks.ts';
import { openProject } from '../project.ts';

/** The output of `activate status`. */
export const summaryOutput = z.object({
  checklistId: z.string(),
  revision: z.number(),
  cohort: z.string(),
  enrollments: z.number(),
  complete: z.number().describe('enrollments that have completed every step'),
  acceptedEvents: z.number(),
  steps: z.array(z.object({ key: z.string(), completed: z.number() })),
});

/** Counts the enrollments of one revision and cohort. */
export async function readSummary(context: CommandContext, options: Options): Promise<Outcome> {
  const { get } = openProject(context, ['svc', 'activate', 'list']);
  const query = new URLSearchParams({
    revision: String(options.number('revision')),
    cohort: options.text('cohort'),
  });
  const data = await get(
    `/svcactivate/checklists/${options.text('checklist')}/summary?${query}`,
    summaryOutput,
  );
  return {
    data,
    blocks: [
      facts(
        ['checklist', `${data.checklistId}, revision ${data.revision}, ${data.cohort}`],
        ['enrollments', `${data.enrollments}, ${data.complete} complete`],
        ['events', String(data.acceptedEvents)],
      ),
      table(
        ['step', 'completed'],
        data.steps.map(({ key, completed }) => [key, String(completed)]),
      ),
    ],
  };
}
