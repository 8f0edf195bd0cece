import type { CapabilityDocument, ImportDocument } from '../../../schemas/imports/documents.ts';
import { eraseMore } from '../../runtime/erasure.ts';
import type { Effect, FoldContext } from '../../runtime/fold.ts';
import { wipeBytes } from '../ending.ts';
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
  return document === null ? [] : wipeBytes(context, importId, document);
}

function ofCapability(document: CapabilityDocument | null): Effect[] {
  if (document === null) return [];
  const { digest, endsAt } = document;
  return [{ kind: 'lookup', lookup: { kind: 'capability', digest, target: null, expiresAt: endsAt } }];
}
