// Reads: the submissions of installations. Writes: nothing; it says which commands tidy up.

import { stateOf } from '../../schemas/base/aggregate-root.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { feedbackCommands } from '../../schemas/feedback/commands.ts';
import {
  feedbackRootSchema,
  inboxDocumentSchema,
  submissionRowId,
} from '../../schemas/feedback/documents.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Subscription } from '../../topics/ports/log.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import type { CommandEffect } from '../runtime/fold.ts';
import { type Sweep, sweepSubscription } from '../runtime/sweeper.ts';
import type { SubmissionIds } from './submissions.ts';

type FeedbackSweep = Sweep<typeof feedbackCommands>;
type Reader = Pick<ProcessorDependencies, 'store' | 'clock'>;

/** A preview ends with everything in it. */
function previewSweep({ store, clock }: Reader, limits: Limits): FeedbackSweep {
  return {
    topic: 'feedback',
    commands: feedbackCommands,
    name: 'previews',
    types: ['lifecycle'],
    delayMs: limits.workspace.previewMs,
    due: async (command, installationId) =>
      command.type === 'lifecycle' && command.input.expiresAt !== null
        ? await tidyPreview(store, installationId, clock.now())
        : [],
  };
}

/**
 * Submissions end by themselves. They may stay longer than records stay in the topic, so each command to tidy up leads to the
 * next one as long as the submission is there.
 */
function retentionSweep({ store }: Reader, limits: Limits): FeedbackSweep {
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
      const { rows } = await store.read(aggregateOf(installationId), [row]);
      return rows.length === 0 ? [] : [tidy(installationId, { widgetId, submissionId })];
    },
  };
}

/** Submissions that are listed of a preview: many times what its limits allow. */
const LISTED_MAX = 1_000;

/** Every submission of a preview that has ended; nothing where a claim has lifted the end. */
async function tidyPreview(
  store: Pick<Store, 'read' | 'list'>,
  installationId: string,
  now: number,
): Promise<CommandEffect[]> {
  const aggregate = aggregateOf(installationId);
  const { root } = await store.read(aggregate, []);
  const state = root === null ? null : stateOf(root.document);
  const lifecycle = state === null ? null : readStored(feedbackRootSchema, state).lifecycle;
  if (lifecycle === null || lifecycle.expiresAt === null || now < lifecycle.expiresAt) return [];
  const inbox = await store.list(aggregate, 'inbox', { limit: LISTED_MAX });
  return inbox.map(({ id, document }) => {
    const { submissionId } = readStored(inboxDocumentSchema, document);
    return tidy(installationId, { widgetId: id.split('/', 1)[0] ?? '', submissionId });
  });
}

function aggregateOf(installationId: string): AggregateRef {
  return { table: 'feedback', id: installationId };
}

function tidy(installationId: string, { widgetId, submissionId }: SubmissionIds): CommandEffect {
  const input = { widgetId, submissionId };
  return { kind: 'command', topic: 'feedback', key: installationId, type: 'tidy-submission', input };
}

/** The sweeps that remove submissions which have ended. */
export function sweepSubscriptions(engines: ProcessorDependencies, limits: Limits): Subscription[] {
  return [previewSweep(engines, limits), retentionSweep(engines, limits)].map((sweep) =>
    sweepSubscription(sweep, engines),
  );
}
