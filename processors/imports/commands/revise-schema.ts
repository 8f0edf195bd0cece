import { digestOf } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { aliveWorkspace, NO_SCHEMA } from '../alive.ts';
import { endAttempt, freeSlot, removeValidationBytes } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { sessionsRow } from '../sessions.ts';

/**
 * Makes the next revision of a schema current; the current one again is answered alike. Imports of older revisions lose
 * validation and approval, which is computed wherever they are read (`effectiveImport`); only one that is being
 * validated just now is touched, so that the slot is free at once. Browser sessions end, capabilities stay.
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
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const schema = row('schema', schemaId);
    if (schema === null) return refused(NO_SCHEMA);
    const current = row('schema-revision', schemaRevisionRowId(schemaId, schema.revision));
    const digest = digestOf(configuration);
    if (current?.digest === digest) return { outcome: done(schemaId, schema.revision, current.createdAt) };
    const revision = schema.revision + 1;
    if (configuration.schema.revision !== revision) {
      return refused(
        refusal('revision_conflict', {
          at: 'body.configuration.schema.revision',
          seen: 'another number',
          expected: `${revision}, the next revision of this schema`,
        }),
      );
    }
    const { schemaRevisions } = scope.limits.imports;
    if (schema.revision >= schemaRevisions) {
      return refused(
        refusal('limit_reached', {
          at: 'schema.revision',
          seen: 'a revision beyond the last one',
          expected: `at most ${schemaRevisions} revisions of a schema`,
        }),
      );
    }
    const { now } = context;
    const ended = endValidationOf(scope, schemaId);
    const { name, allowedOrigins } = configuration;
    return {
      ...ended,
      outcome: done(schemaId, revision, now),
      put: [
        ...(ended.put ?? []),
        {
          kind: 'schema',
          id: schemaId,
          document: { ...schema, name, revision, allowedOrigins, updatedAt: now },
        },
        {
          kind: 'schema-revision',
          id: schemaRevisionRowId(schemaId, revision),
          document: { configuration, digest, createdAt: now },
        },
      ],
      remove: [sessionsRow(schemaId)],
      // Nothing erases a schema alone, so nothing has to find the keys: a list of them would grow with each revision.
      remember: { entity: `schema/${schemaId}`, listed: false },
    };
  },
};

function done(
  schemaId: string,
  revision: number,
  createdAt: number,
): FoldResult<ImportsFold, 'revise-schema'>['outcome'] {
  return { kind: 'done', result: { schemaId, revision, createdAt } };
}

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
