import type { Actor } from '../../schemas/base/command.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { ImportsCommand, ImportsCommandOf } from '../../schemas/imports/commands.ts';
import type {
  ImportActor,
  ImportDocument,
  ImportsRoot,
  ImportsRows,
  SchemaDocument,
} from '../../schemas/imports/documents.ts';
import {
  type EffectiveImport,
  ERASED,
  effectiveImport,
  importStatusAnswer,
} from '../../schemas/imports/status.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { Effect, FoldContext, PartialView, RowChange } from '../runtime/fold.ts';
import type { PlainFoldResult, View } from '../runtime/unconverted.ts';
import { owningSession, SESSION_ENDED, sessionsRow } from './sessions.ts';

export type ImportsResult = PlainFoldResult<ImportsRoot, ImportsRows>;
export type ImportsChange = RowChange<ImportsRows>;
export type ImportsPartialView = PartialView<ImportsRoot, ImportsRows>;

type CommandType = ImportsCommand['type'];
export type InputOf<Type extends CommandType> = ImportsCommandOf<Type>['input'];

/** Everything that folding one command may look at. */
export interface Scope<Input = unknown> {
  readonly view: View<ImportsRoot, ImportsRows>;
  readonly root: ImportsRoot;
  readonly input: Input;
  readonly actor: Actor;
  readonly context: FoldContext;
  readonly limits: Limits;
}

/** How one type of command is folded. */
export interface Step<Type extends CommandType> {
  /** The rows it takes; asked again with what has been read. */
  reads(input: InputOf<Type>, view: ImportsPartialView): readonly RowKey[];
  fold(scope: Scope<InputOf<Type>>): ImportsResult;
  /** What a repeat with the same key and input is answered instead of the stored result, or null for that one. */
  replay?(scope: Scope<InputOf<Type>>, stored: JsonObject): ImportsResult | null;
}

/** The result of a command that nobody waits for and that may come again: nothing is remembered. */
export const DROPPED: ImportsResult = { outcome: { kind: 'done', result: {} }, remember: false };

/** A refusal that still tidies up after itself. */
export function refusedWith(value: Refusal, effects: readonly Effect[] = []): ImportsResult {
  return { outcome: { kind: 'refused', refusal: value }, effects };
}

export type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/**
 * The workspace's copy, unless the workspace refuses what is asked. The gateway has looked at the workspace itself; this
 * catches what changed on the way. A pause stops nothing of the owner and everything of browsers (contract B).
 */
export function aliveWorkspace(scope: Scope, whenPaused: 'refused' | 'allowed'): Alive {
  const { lifecycle } = scope.root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, scope.context.now, pauseRule(scope.actor, whenPaused));
  return refused === null ? { lifecycle } : { refused };
}

function pauseRule({ kind }: Actor, whenPaused: 'refused' | 'allowed') {
  switch (kind) {
    case 'user':
      return 'allowed';
    case 'session':
      return 'refused';
    case 'agent':
    case 'capability':
    case 'visitor':
    case 'system':
      return whenPaused;
  }
}

export const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

/** An import with its schema, as it is now. */
export interface FoundImport {
  readonly importId: string;
  readonly document: ImportDocument;
  readonly schema: SchemaDocument;
  readonly effective: EffectiveImport;
  readonly lifecycle: Lifecycle;
}

export type Found = FoundImport | { readonly refused: Refusal };

/** The import that a command names, in a workspace that allows what is asked, of a caller who may still ask. */
export function findImport(
  scope: Scope<{ readonly importId: string }>,
  whenPaused: 'refused' | 'allowed',
): Found {
  const alive = aliveWorkspace(scope, whenPaused);
  if ('refused' in alive) return alive;
  const { importId } = scope.input;
  const document = scope.view.row('import', importId);
  const schema = document === null ? null : scope.view.row('schema', document.schemaId);
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

/** Why there is no such import: it never was there, or it was erased. */
export function absence({ view, input }: Scope<{ readonly importId: string }>): Refusal {
  return view.row('erased-import', input.importId) === null ? NO_IMPORT : ERASED;
}

/** The rows that {@link findImport} takes. */
export function importRows(importId: string, view: ImportsPartialView): RowKey[] {
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
export const NO_SCHEMA = refusal('not_found', {
  at: 'path.schemaId',
  seen: 'the id of no schema',
  expected: 'the id of a schema of this workspace',
});

/** The same import with another document. */
export function withDocument(scope: Scope, found: FoundImport, document: ImportDocument): FoundImport {
  const effective = effectiveNow(scope, document, found.schema, found.lifecycle);
  return { ...found, document, effective };
}

/** The result of a command that leaves the import like this: it is answered with the import's status. */
export function statusResult(
  scope: Scope,
  found: FoundImport,
  document: ImportDocument,
): { readonly kind: 'done'; readonly result: JsonObject } {
  const { importId, effective } = withDocument(scope, found, document);
  return { kind: 'done', result: importStatusAnswer(importId, document, effective, scope.limits) };
}

/** Who acts, as an import remembers it. */
export function importActor({ actor }: Scope): ImportActor {
  switch (actor.kind) {
    case 'agent':
    case 'session':
    case 'user':
      return { kind: actor.kind, id: actor.id };
    case 'capability':
    case 'visitor':
    case 'system':
      throw new Error(`acting on an import as a ${actor.kind}`);
  }
}

/** The change that stores an import. */
export function importChange(importId: string, document: ImportDocument): ImportsChange {
  return { kind: 'import', id: importId, document };
}

/** What an outcome is remembered for, so that erasing the import takes it along. */
export function importEntity(importId: string): string {
  return `import/${importId}`;
}

/** An import as it is by the time of the record. */
export function effectiveNow(
  scope: Scope,
  document: ImportDocument,
  schema: SchemaDocument,
  lifecycle: Lifecycle,
): EffectiveImport {
  return effectiveImport(document, { lifecycle, currentRevision: schema.revision, now: scope.context.now });
}
