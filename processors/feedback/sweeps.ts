// Reads: the submissions of installations. Writes: nothing; it says which commands tidy up.

import { readStored } from '../../schemas/base/stored.ts';
import { feedbackCommands } from '../../schemas/feedback/commands.ts';
import { inboxDocumentSchema, submissionRowId } from '../../schemas/feedback/documents.ts';
import { feedbackProduct } from '../../schemas/feedback/product.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Subscription } from '../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import type { CommandEffect } from '../runtime/fold/fold.ts';
import { previewSweep } from '../runtime/sweeps/preview-sweep.ts';
import { type Sweep, sweepSubscription } from '../runtime/sweeps/sweeper.ts';
import type { SubmissionIds } from './submissions.ts';

/**
 * Submissions end by themselves. They may stay longer than records stay in the topic, so each command to tidy up leads to the
 * next one as long as the submission is there.
 */
function retentionSweep(
  { store }: Pick<ProcessorDependencies, 'store'>,
  limits: Limits,
): Sweep<typeof feedbackCommands> {
  return {
    topic: 'feedback',
    commands: feedbackCommands,
    name: 'retention',
    types: ['receive-submission', 'tidy-submission'],
    delayMs: limits.feedback.retentionMs,
    async due(command, installationId) {
      if (command.type !== 'receive-submission' && command.type !== 'tidy-submission') return [];
      const { widgetId, submissionId } = command.input;
      const row = { kind: 'submission', id: submissionRowId(widgetId, submissionId) };
      const { rows } = await store.read({ table: 'feedback', id: installationId }, [row]);
      return rows.length === 0 ? [] : [tidy(installationId, { widgetId, submissionId })];
    },
  };
}

function tidy(installationId: string, { widgetId, submissionId }: SubmissionIds): CommandEffect {
  const input = { widgetId, submissionId };
  return { kind: 'command', topic: 'feedback', key: installationId, type: 'tidy-submission', input };
}

/** The sweeps that remove submissions which have ended. */
export function sweepSubscriptions(engines: ProcessorDependencies, limits: Limits): Subscription[] {
  const previews = previewSweep(feedbackProduct, engines, limits, async (list, installationId) =>
    (await list('inbox')).map(({ id, document }) => {
      const { submissionId } = readStored(inboxDocumentSchema, document);
      return tidy(installationId, { widgetId: id.split('/', 1)[0] ?? '', submissionId });
    }),
  );
  return [sweepSubscription(previews, engines), sweepSubscription(retentionSweep(engines, limits), engines)];
}
