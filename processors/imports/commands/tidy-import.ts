import { endedRefusal } from '../../../schemas/imports/status.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import { freeSlot } from '../attempt.ts';
import { archiveImport } from '../ending.ts';
import { effectiveNow, importChange, importRows } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

/**
 * Cuts down an import that has ended by the time of the record. The sweeper only supposes so: a claim may have lifted the
 * bound, and then nothing happens.
 */
export const tidyImport: CommandHandler<ImportsFold, 'tidy-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { row, root, input } = scope;
    const { importId } = input;
    const document = row('import', importId);
    const schema = document === null ? null : row('schema', document.schemaId);
    if (document === null || schema === null || root.lifecycle === null) return DONE_UNREMEMBERED;
    const ended = endedRefusal(effectiveNow(scope, document, schema, root.lifecycle)) !== null;
    if (!ended || document.tidiedAt !== null) return DONE_UNREMEMBERED;
    const { document: next, ...rest } = archiveImport(scope, importId, document);
    return {
      ...DONE_UNREMEMBERED,
      ...rest,
      root: freeSlot(root, importId),
      put: [importChange(importId, next)],
    };
  },
};
