import { digestOf } from '../../../schemas/base/digest.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold.ts';
import { refused, refusedFor } from '../../runtime/results.ts';
import { aliveForActor, NO_SCHEMA } from '../alive.ts';
import { endAttempt, freeSlot, removeValidationBytes } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { configured, revisionConflict, revisionDone } from '../schema-revisions.ts';
import { sessionsRow } from '../sessions.ts';

/**
 * Makes the next revision of a schema current; the current configuration again changes nothing. Imports of older
 * revisions lose validation and approval, which each read computes (`effectiveImport`). Only a running validation is
 * changed in its row, so that its slot is free at once. Browser sessions end; capabilities stay.
 */
export const reviseSchema: CommandHandler<ImportsFold, 'revise-schema'> = {
  reads({ input: { schemaId } }, view) {
    const rows: RowKey[] = [{ kind: 'schema', id: schemaId }];
    const schema = view.peek('schema', schemaId);
    if (schema != null)
      rows.push({ kind: 'schema-revision', id: schemaRevisionRowId(schemaId, schema.revision) });
    const slot = view.root?.validationSlot;
    if (slot != null) rows.push({ kind: 'import', id: slot.importId });
    return rows;
  },
  fold(scope) {
    const { row, context } = scope;
    const { schemaId, configuration } = scope.input;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const schema = row('schema', schemaId);
    if (schema === null) return refused(NO_SCHEMA);
    const current = row('schema-revision', schemaRevisionRowId(schemaId, schema.revision));
    if (current?.digest === digestOf(configuration))
      return { outcome: revisionDone(schemaId, schema.revision, current.createdAt) };
    const revision = schema.revision + 1;
    if (configuration.schema.revision !== revision)
      return revisionConflict(`${revision}, the next revision of this schema`);
    const { schemaRevisions } = scope.limits.imports;
    if (schema.revision >= schemaRevisions) {
      return refusedFor('limit_reached', {
        at: 'schema.revision',
        seen: 'a revision beyond the last one',
        expected: `at most ${schemaRevisions} revisions of a schema`,
      });
    }
    const ended = endValidationOf(scope, schemaId);
    const { outcome, put } = configured(scope.input, schema, { revision, now: context.now });
    return {
      ...ended,
      outcome,
      put: [...(ended.put ?? []), ...put],
      remove: [sessionsRow(schemaId)],
      // Nothing erases a schema alone, so nothing has to find the keys: a list of them would grow with each revision.
      remember: { entity: `schema/${schemaId}`, listed: false },
    };
  },
};

function endValidationOf(
  { row, root, context }: Scope<ImportsFold, 'revise-schema'>,
  schemaId: string,
): Pick<FoldResult<ImportsFold, 'revise-schema'>, 'root' | 'put' | 'effects'> {
  const slot = root.validationSlot;
  const document = slot === null ? null : row('import', slot.importId);
  if (slot === null || document?.schemaId !== schemaId) return {};
  return {
    root: freeSlot(root, slot.importId),
    put: [importChange(slot.importId, endAttempt(document, null))],
    effects: removeValidationBytes(context, slot.importId, document),
  };
}
