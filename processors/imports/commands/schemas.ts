import { digestOf } from '../../../schemas/base/digest.ts';
import { importProduct } from '../../../schemas/imports/product.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused, refusedFor } from '../../runtime/fold/results.ts';
import { endAttempt, freeSlot, removeValidationBytes } from '../attempt.ts';
import { importChange } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { aliveForActor, NO_SCHEMA } from '../preconditions.ts';
import { configured, revisionConflict, revisionDone } from '../schema-revisions.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';

/** Creates a schema with its first revision, within the plan's lifetime quota. */
export const createSchema: CommandHandler<ImportsFold, 'create-schema'> = {
  fold(scope) {
    const { schemaId, configuration } = scope.input;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { revision } = configuration.schema;
    if (revision !== 1) return revisionConflict('1 for a new schema');
    const { plan } = alive.lifecycle;
    const full = importProduct.quotaRefusal('importSchemas', scope, plan);
    if (full !== null) return refused(full);
    const { now } = scope.context;
    return {
      ...configured(scope.input, { createdAt: now, capabilities: [] }, { revision, now }),
      root: importProduct.charge('importSchemas', scope.root, plan, now),
      remember: { entity: `schema/${schemaId}` },
    };
  },
};

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

/** Strikes ended capabilities and sessions off a schema's lists. They have counted for nothing since their end. */
export const tidySchema: CommandHandler<ImportsFold, 'tidy-schema'> = {
  reads: ({ input: { schemaId } }) => [{ kind: 'schema', id: schemaId }, sessionsRow(schemaId)],
  fold(scope) {
    const { row, root, input, context } = scope;
    const { schemaId } = input;
    const { lifecycle } = root;
    const schema = row('schema', schemaId);
    if (schema === null || lifecycle === null) return DONE_UNREMEMBERED;
    const capabilities = schema.capabilities.filter(
      (capability) => capabilityEnd(capability, lifecycle) > context.now,
    );
    return {
      ...DONE_UNREMEMBERED,
      put: [
        { kind: 'schema', id: schemaId, document: { ...schema, capabilities } },
        sessionsChange(schemaId, activeSessions(scope, schemaId)),
      ],
    };
  },
};
