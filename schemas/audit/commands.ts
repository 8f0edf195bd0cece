import { type CommandTable, noResult } from '../base/command.ts';
import { entryDocumentSchema } from './documents.ts';

/** Commands of the topic `audit`; the key is `auditLogId`: an organization and a month. */
export const auditCommands = {
  /** An action, from the runtime of processors; or a read of private data, from a gateway. */
  record: { input: entryDocumentSchema, result: noResult },
} as const satisfies CommandTable;
