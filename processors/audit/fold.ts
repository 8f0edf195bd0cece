import { z } from 'zod';
import { auditCommands } from '../../schemas/audit/commands.ts';
import { type AuditRows, auditEntryId, auditRowSchemas } from '../../schemas/audit/documents.ts';
import type { Limits } from '../../schemas/limits.ts';
import { type AnyFold, type CommandHandler, defineFold, type FoldTypes } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';

/** The types of the fold of audit logs. A month of a log has entries and no root. */
interface AuditFold extends FoldTypes {
  readonly commands: typeof auditCommands;
  readonly root: null;
  readonly rows: AuditRows;
}

/** Stores an entry. Its id derives from the command, so a repeated command writes the same row. */
const record: CommandHandler<AuditFold, 'record'> = {
  fold: ({ input, envelope }) => ({
    ...DONE_UNREMEMBERED,
    put: [{ kind: 'entry', id: auditEntryId(input.at, envelope.key), document: input }],
  }),
};

/** The fold of audit logs: one aggregate for each organization and month. */
export function createAuditFold(limits: Limits): AnyFold {
  return defineFold<AuditFold>({
    topic: 'audit',
    commands: auditCommands,
    rootSchema: z.never(),
    rowSchemas: auditRowSchemas,
    limits,
    handlers: { record },
  });
}
