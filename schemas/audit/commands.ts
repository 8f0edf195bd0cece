import type { CommandOf, CommandSchemas } from '../base/command.ts';
import { entryDocumentSchema } from './documents.ts';

/** Commands of the topic `audit`; the key is `auditLogId`: an organization and a month. Only the processors' runtime sends them. */
export const auditCommands = { record: entryDocumentSchema } as const satisfies CommandSchemas;

export type AuditCommand = CommandOf<typeof auditCommands>;
