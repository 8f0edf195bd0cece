import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type {
  ImportActor,
  ImportDocument,
  ImportsRows,
  SchemaDocument,
} from '../../schemas/imports/documents.ts';
import {
  type EffectiveImport,
  ERASED,
  effectiveImport,
  type ImportStatus,
  importStatusAnswer,
} from '../../schemas/imports/status.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { PartialView, RowChange, Scope } from '../runtime/fold/fold.ts';
import type { ImportsFold } from './imports-fold.ts';
import { aliveForActor } from './preconditions.ts';
import { owningSession, SESSION_ENDED, sessionsRow } from './sessions.ts';

/** The scope of a command that names an import. */
type ImportScope = Pick<Scope<ImportsFold>, 'root' | 'row' | 'salvaged' | 'actor' | 'context'> & {
  readonly input: { readonly importId: string };
};

/** An import with its schema, as it is now. */
export interface FoundImport {
  readonly importId: string;
  readonly document: ImportDocument;
  readonly schema: Pick<SchemaDocument, 'revision'>;
  readonly effective: EffectiveImport;
  readonly lifecycle: Lifecycle;
}

export type Found = FoundImport | { readonly refused: Refusal };

/** Finds the import that a command names, in a workspace that allows the command, for a caller whose session is open. */
export function findImport(scope: ImportScope, whenPaused: 'refused' | 'allowed'): Found {
  const alive = aliveForActor(scope, whenPaused);
  if ('refused' in alive) return alive;
  const { importId } = scope.input;
  const document = scope.row('import', importId);
  const schema = document === null ? null : schemaOf(scope, document);
  if (document === null || schema === null) return { refused: absence(scope) };
  const { lifecycle } = alive;
  if (scope.actor.kind === 'session' && owningSession(scope, document) === null) {
    return { refused: SESSION_ENDED };
  }
  return {
    importId,
    document,
    schema,
    lifecycle,
    effective: effectiveNow(scope, document, schema, lifecycle),
  };
}

/** The schema of an import. For a command that admits an unreadable one, the import's revision counts as the current one. */
function schemaOf({ row, salvaged }: ImportScope, { schemaId, schemaRevision }: ImportDocument) {
  const isUnreadable = salvaged('schema', schemaId) !== null;
  return row('schema', schemaId) ?? (isUnreadable ? { revision: schemaRevision } : null);
}

/** The reason that an import is missing: it never existed, or it was erased. */
export function absence({ row, input }: Pick<ImportScope, 'row' | 'input'>): Refusal {
  return row('erased-import', input.importId) === null ? NO_IMPORT : ERASED;
}

/** The rows that {@link findImport} takes. */
export function importRows(
  importId: string,
  view: Pick<PartialView<unknown, ImportsRows>, 'peek'>,
): RowKey[] {
  const rows: RowKey[] = [
    { kind: 'import', id: importId },
    { kind: 'erased-import', id: importId },
  ];
  const document = view.peek('import', importId);
  if (document == null) return rows;
  rows.push({ kind: 'schema', id: document.schemaId });
  if (document.session !== null) rows.push(sessionsRow(document.schemaId));
  return rows;
}

const NO_IMPORT = refusal('not_found', {
  at: 'path.importId',
  seen: 'the id of no import',
  expected: 'the id of an import of this caller',
});

/** The same import with another document. */
export function withDocument(
  scope: Pick<Scope<ImportsFold>, 'context'>,
  found: FoundImport,
  document: ImportDocument,
): FoundImport {
  const effective = effectiveNow(scope, document, found.schema, found.lifecycle);
  return { ...found, document, effective };
}

/** The outcome of a command that stores this document: the import's status. */
export function statusResult(
  scope: Pick<Scope<ImportsFold>, 'context' | 'limits'>,
  found: FoundImport,
  document: ImportDocument,
): { readonly kind: 'done'; readonly result: ImportStatus } {
  const { importId, effective } = withDocument(scope, found, document);
  return { kind: 'done', result: importStatusAnswer(importId, document, effective, scope.limits) };
}

/** The actor, as an import stores it. */
export function importActor({ actor }: Pick<Scope<ImportsFold>, 'actor'>): ImportActor {
  switch (actor.kind) {
    case 'agent':
    case 'session':
    case 'user':
      return { kind: actor.kind, id: actor.id };
    case 'capability':
    case 'visitor':
    case 'system':
    case 'operator':
      throw new Error(`acting on an import as a ${actor.kind}`);
  }
}

/** The change that stores an import. */
export function importChange(importId: string, document: ImportDocument): RowChange<ImportsRows> {
  return { kind: 'import', id: importId, document };
}

/** The entity that outcomes of an import are remembered for: erasing the import removes them. */
export function importEntity(importId: string): string {
  return `import/${importId}`;
}

/** An import as it is by the time of the record. */
export function effectiveNow(
  { context }: Pick<Scope<ImportsFold>, 'context'>,
  document: ImportDocument,
  schema: Pick<SchemaDocument, 'revision'>,
  lifecycle: Lifecycle,
): EffectiveImport {
  return effectiveImport(document, { lifecycle, currentRevision: schema.revision, now: context.now });
}
