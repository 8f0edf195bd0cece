import { z } from 'zod';
import { type AuditCommand, auditCommands } from '../../schemas/audit/commands.ts';
import { type AuditRows, auditEntryId, auditRowSchemas } from '../../schemas/audit/documents.ts';
import { defineFold, type FoldDefinition, type FoldResult } from '../runtime/fold.ts';

/** A month of the log has nothing to decide by: it is its entries, without a root of its own. */
const rootSchema = z.never();

export type AuditFold = FoldDefinition<never, AuditRows, typeof auditCommands>;

/** The fold of audit logs: one aggregate an organization and month (design rule 2). */
export function createAuditFold(): AuditFold {
  return defineFold<never, AuditRows, typeof auditCommands>({
    topic: 'audit',
    schemas: auditCommands,
    rootSchema,
    rowSchemas: auditRowSchemas,
    reads: () => [],
    fold: (_view, command) => record(command),
  });
}

/** The entry's id comes from the command, so one that arrives again writes the same row; nothing else remembers it. */
function record({ key, input }: AuditCommand): FoldResult<never, AuditRows> {
  return {
    outcome: { kind: 'done', result: {} },
    put: [{ kind: 'entry', id: auditEntryId(input.at, key), document: input }],
    remember: false,
  };
}
