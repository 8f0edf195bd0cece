import { z } from 'zod';
import { type AuditCommand, auditCommands } from '../../schemas/audit/commands.ts';
import { type AuditRows, auditEntryId, auditRowSchemas } from '../../schemas/audit/documents.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { AnyFold } from '../runtime/fold.ts';
import { defineSwitchingFold, type PlainFoldResult } from '../runtime/unconverted.ts';

/** A month of the log has nothing to decide by: it is its entries, without a root of its own. */
const rootSchema = z.never();

/** The fold of audit logs: one aggregate an organization and month (design rule 2). */
export function createAuditFold(limits: Limits): AnyFold {
  return defineSwitchingFold<never, AuditRows, typeof auditCommands>({
    topic: 'audit',
    commands: auditCommands,
    limits,
    rootSchema,
    rowSchemas: auditRowSchemas,
    reads: () => [],
    fold: (_view, command) => record(command),
  });
}

/** The entry's id comes from the command, so one that arrives again writes the same row; nothing else remembers it. */
function record({ key, input }: AuditCommand): PlainFoldResult<never, AuditRows> {
  return {
    outcome: { kind: 'done', result: {} },
    put: [{ kind: 'entry', id: auditEntryId(input.at, key), document: input }],
    remember: false,
  };
}
