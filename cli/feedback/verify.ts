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
  const { client, installationPath } = openProject(context, ['svc', 'help', 'feedback', 'verify']);
  const [widgetId, submissionId] = [options.text('widget'), options.text('submission')];
  const verified = await client.ask({
    method: 'POST',
    path: installationPath(`/svcfeedback/widgets/${widgetId}/submissions/${submissionId}/verify`),
    body: { schemaVersion: FEEDBACK_VERSION },
    answer: submissionOutput,
  });
  return {
    data: verified,
    blocks: [facts(['submission', verified.submissionId], ['received', verified.receivedAt])],
    next: ['svc', 'workspace', 'claim'],
  };
}
