import type { mailCommands } from '../../schemas/mail/commands.ts';
import type { OutboxDocument } from '../../schemas/mail/documents.ts';
import type { FoldTypes } from '../runtime/fold/fold.ts';

/** The types of the fold of outboxes. An outbox is small and bounded: it is its root, without rows. */
export interface MailFold extends FoldTypes {
  readonly commands: typeof mailCommands;
  readonly root: OutboxDocument;
  readonly rows: Record<never, never>;
}
