import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { FEEDBACK_VERSION } from './version.ts';

/** The output of `feedback verify`. */
export const submissionOutput = z.object({
  widgetId: z.string(),
  submissionId: z.string(),
  received: z.literal(true),
  receivedAt: z.string(),
});

/** Verifies that a submission has arrived, which makes it a verified result of the workspace. */
export async function verifySubmission(context: CommandContext, options: Options): Promise<Outcome> {
  const { post } = openProject(context, ['svc', 'help', 'feedback', 'verify']);
  const [widgetId, submissionId] = [options.text('widget'), options.text('submission')];
  const verified = await post(
    `/svcfeedback/widgets/${widgetId}/submissions/${submissionId}/verify`,
    submissionOutput,
    { schemaVersion: FEEDBACK_VERSION },
  );
  return {
    data: verified,
    blocks: [facts(['submission', verified.submissionId], ['received', verified.receivedAt])],
    next: ['svc', 'workspace', 'claim'],
  };
}
