import type { CapabilityDocument, ImportDocument } from '../../../schemas/imports/documents.ts';
import type { LookupKind } from '../../../topics/ports/lookups.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import type { Effect, FoldContext } from '../../runtime/fold.ts';
import { removeAttemptBytes, removeImportBytes } from '../attempt.ts';
import { DROPPED, type InputOf, type Scope, type Step } from '../step.ts';

/**
 * Removes rows of an erased workspace, with the private bytes and the look-ups that hang on them, and asks for the next
 * ones.
 */
export const eraseRows: Step<'erase-rows'> = {
  reads: ({ rows }) => rows.filter(({ kind }) => kind === 'import' || kind === 'capability'),
  fold(scope) {
    const { root, input, context } = scope;
    if (root.lifecycle?.state !== 'erased') throw new Error('removing rows of imports that were not erased');
    return {
      ...DROPPED,
      erase: input.rows,
      effects: [
        ...input.rows.flatMap((row) => whatHangsOn(row, scope)),
        eraseMore('imports', context.aggregate),
      ],
    };
  },
};

function whatHangsOn(
  { kind, id }: { readonly kind: string; readonly id: string },
  { view, context }: Scope<InputOf<'erase-rows'>>,
): Effect[] {
  switch (kind) {
    case 'import':
      return ofImport(id, view.row('import', id), context);
    case 'capability':
      return ofCapability(view.row('capability', id));
    default:
      return [];
  }
}

function ofImport(importId: string, document: ImportDocument | null, context: FoldContext): Effect[] {
  if (document === null) return [];
  const { uploadToken, validations } = document;
  const attempts = Array.from({ length: validations }, (_, index) => index + 1);
  return [
    removeImportBytes(context, importId),
    ...attempts.map((attempt) => removeAttemptBytes(context, importId, attempt)),
    endLookup('upload-token', uploadToken),
  ];
}

function ofCapability(document: CapabilityDocument | null): Effect[] {
  return document === null ? [] : [endLookup('capability', document)];
}

function endLookup(
  kind: LookupKind,
  { digest, endsAt }: { readonly digest: string; readonly endsAt: number },
): Effect {
  return { kind: 'lookup', lookup: { kind, digest, target: null, expiresAt: endsAt } };
}
