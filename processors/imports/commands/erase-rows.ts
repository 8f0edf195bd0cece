import type {
  CapabilityDocument,
  ImportDocument,
  SchemaSessionsDocument,
} from '../../../schemas/imports/documents.ts';
import type { LookupKind } from '../../../topics/ports/lookups.ts';
import type { CommandHandler, Effect, FoldContext, Scope } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import { wipeBytes } from '../ending.ts';
import type { ImportsFold } from '../imports-fold.ts';

/** Removes rows of an erased workspace, with the private bytes and the look-ups that hang on them. */
export const eraseRows: CommandHandler<ImportsFold, 'erase-rows'> = {
  reads: ({ input: { rows } }) => rows.filter(({ kind }) => HOLDERS.some((holder) => holder === kind)),
  fold(scope) {
    const { root, input } = scope;
    if (root.lifecycle?.state !== 'erased') throw new Error('removing rows of imports that were not erased');
    return {
      ...DONE_UNREMEMBERED,
      erase: input.rows,
      effects: input.rows.flatMap((row) => whatHangsOn(row, scope)),
    };
  },
};

/** The kinds of rows that bytes or look-ups hang on. */
const HOLDERS = ['import', 'capability', 'schema-sessions'] as const;

function whatHangsOn(
  { kind, id }: { readonly kind: string; readonly id: string },
  { row, context }: Scope<ImportsFold, 'erase-rows'>,
): Effect[] {
  switch (kind) {
    case 'import':
      return ofImport(id, row('import', id), context);
    case 'capability':
      return ofCapability(row('capability', id));
    case 'schema-sessions':
      return ofSessions(row('schema-sessions', id));
    default:
      return [];
  }
}

function ofImport(importId: string, document: ImportDocument | null, context: FoldContext): Effect[] {
  return document === null ? [] : wipeBytes(context, importId, document);
}

function ofCapability(document: CapabilityDocument | null): Effect[] {
  return document === null ? [] : [endLookup('capability', document)];
}

function ofSessions(document: SchemaSessionsDocument | null): Effect[] {
  return (document?.sessions ?? []).map((session) => endLookup('import-session', session));
}

function endLookup(
  kind: LookupKind,
  { digest, endsAt }: { readonly digest: string; readonly endsAt: number },
): Effect {
  return { kind: 'lookup', lookup: { kind, digest, target: null, expiresAt: endsAt } };
}
