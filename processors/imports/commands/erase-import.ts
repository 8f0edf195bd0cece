import { refusal } from '../../../schemas/base/errors.ts';
import { NOT_YET_KNOWN } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { freeSlot } from '../attempt.ts';
import { purgeImport } from '../ending.ts';
import { absence, effectiveNow, importEntity, importRows, statusResult } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';

/**
 * Erases an import and everything made from it, in any status of the import and its workspace. The remaining row
 * records that it existed. Quotas keep their use.
 */
export const eraseImport: CommandHandler<ImportsFold, 'erase-import'> = {
  reads: ({ input: { importId } }, view) => importRows(importId, view),
  fold(scope) {
    const { row, root, actor, input, context } = scope;
    const { importId } = input;
    if (actor.kind !== 'user') return refused(NOT_THE_OWNER);
    if (root.lifecycle === null) return refused(NOT_YET_KNOWN);
    const document = row('import', importId);
    const schema = document === null ? null : row('schema', document.schemaId);
    if (document === null || schema === null) return refused(absence(scope));
    const { lifecycle } = root;
    const effective = effectiveNow(scope, document, schema, lifecycle);
    const last = statusResult(scope, { importId, document, schema, effective, lifecycle }, document);
    const { schemaId, session } = document;
    const { remove, effects } = purgeImport(scope, importId, document);
    return {
      outcome: { kind: 'done', result: { ...last.result, status: 'erased' } },
      root: freeSlot(root, importId),
      put: [{ kind: 'erased-import', id: importId, document: { schemaId, session, erasedAt: context.now } }],
      remove: [{ kind: 'import', id: importId }, ...remove],
      effects,
      forget: [importEntity(importId)],
      remember: false,
    };
  },
};

const NOT_THE_OWNER = refusal('forbidden', {
  at: 'caller',
  seen: 'no person',
  expected: 'an owner or admin of the organization',
});
