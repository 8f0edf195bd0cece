import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { entryDocumentSchema } from './documents.ts';

/** Commands of the topic `audit`; the key is `auditLogId`: an organization and a month. The runtime of processors records actions, gateways record reads. */
export const auditCommands = undeclaredResults({ record: entryDocumentSchema });

export type AuditCommand = CommandOf<typeof auditCommands>;
