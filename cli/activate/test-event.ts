import { z } from 'zod';
import { sha256Hex } from '../../schemas/base/digest.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { CHECKLIST_VERSION } from './version.ts';

/** The one synthetic subject of this tool. It stands for no person. */
const SUBJECT_DIGEST = sha256Hex('svc cli: the synthetic subject');

/** The output of `activate test`. */
export const testOutput = z.object({
  eventId: z.string(),
  outcome: z.string().describe('`completed`, or `already_completed` if another event was first'),
  completedSteps: z.number(),
  totalSteps: z.number(),
  complete: z.boolean(),
  receivedAt: z.string(),
});

/** Reports a milestone of the synthetic subject. A repeat gets the first answer again, and is not counted. */
export async function sendTestEvent(context: CommandContext, options: Options): Promise<Outcome> {
  const checklistId = options.text('checklist');
  const eventKey = options.text('event');
  const { post } = openProject(context, ['svc', 'activate', 'list']);
  const data = await post(`/svcactivate/checklists/${checklistId}/events`, testOutput, {
    schemaVersion: CHECKLIST_VERSION,
    idempotencyKey: `cli-test-${eventKey}`,
    subjectDigest: SUBJECT_DIGEST,
    cohort: 'test',
    eventKey,
  });
  return {
    data,
    blocks: [
      facts(
        ['event', data.eventId],
        ['outcome', data.outcome],
        ['steps', `${data.completedSteps} of ${data.totalSteps}`],
        ['received', data.receivedAt],
      ),
    ],
    next: ['svc', 'workspace', 'claim'],
  };
}
