import { RECORD_EVENT_OPERATION } from '../../../schemas/activate/documents.ts';
import type { CommandHandler } from '../../runtime/fold/fold.ts';
import type { ActivateFold } from '../activate-fold.ts';

/** Records milestones that travel together, each as if it had come alone: its key repeats one that did, too. */
export const recordEvents: CommandHandler<ActivateFold, 'record-events'> = {
  carried: ({ input: { checklistId, events }, ...envelope }) =>
    events.map(({ key, inputDigest, ...event }) => ({
      ...envelope,
      type: 'record-event',
      operation: RECORD_EVENT_OPERATION,
      key,
      keyFrom: 'client',
      inputDigest,
      replyTo: null,
      input: { checklistId, ...event },
    })),
};
