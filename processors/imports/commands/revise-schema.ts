import { digestOf } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import { endAttempt, freeSlot, removeValidationBytes } from '../attempt.ts';
import { sessionsRow } from '../sessions.ts';
import {
  aliveWorkspace,
  type ImportsResult,
  type InputOf,
  importChange,
  NO_SCHEMA,
  refusedWith,
  type Scope,
  type Step,
} from '../step.ts';

/**
 * Makes the next revision of a schema current; the current one again is answered alike. Imports of older revisions lose
 * validation and approval, which is computed wherever they are read (`effectiveImport`); only one that is being
 * validated just now is touched, so that the slot is free at once. Browser sessions end, capabilities go on.
 */
export const reviseSchema: Step<'revise-schema'> = {
  reads({ schemaId }, view) {
    const rows: RowKey[] = [{ kind: 'schema', id: schemaId }];
    const schema = view.peek('schema', schemaId);
    if (schema != null)
      rows.push({ kind: 'schema-revision', id: schemaRevisionRowId(schemaId, schema.revision) });
    const slot = view.root?.validationSlot;
    if (slot != null) rows.push({ kind: 'import', id: slot.importId });
    return rows;
  },
  fold(scope) {
    const { view, context } = scope;
    const { schemaId, configuration } = scope.input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refusedWith(alive.refused);
    const schema = view.row('schema', schemaId);
    if (schema === null) return refusedWith(NO_SCHEMA);
    const current = view.row('schema-revision', schemaRevisionRowId(schemaId, schema.revision));
    const digest = digestOf(configuration);
    if (current?.digest === digest) return { outcome: done(schemaId, schema.revision, current.createdAt) };
    const revision = schema.revision + 1;
    if (configuration.schema.revision !== revision) {
      return refusedWith(
        refusal('revision_conflict', {
          at: 'body.configuration.schema.revision',
          seen: 'another number',
          expected: `${revision}, the next revision of this schema`,
        }),
      );
    }
    const { schemaRevisions } = scope.limits.imports;
    if (schema.revision >= schemaRevisions) {
      return refusedWith(
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

function done(schemaId: string, revision: number, createdAt: number): ImportsResult['outcome'] {
  return { kind: 'done', result: { schemaId, revision, createdAt } };
}

function endValidationOf(
  { view, root, context }: Scope<InputOf<'revise-schema'>>,
  schemaId: string,
): Pick<ImportsResult, 'root' | 'put' | 'effects'> {
  const slot = root.validationSlot;
  const document = slot === null ? null : view.row('import', slot.importId);
  if (slot === null || document?.schemaId !== schemaId) return {};
  return {
    root: freeSlot(root, slot.importId),
    put: [importChange(slot.importId, endAttempt(document, null))],
    effects: removeValidationBytes(context, slot.importId, document),
  };
}
