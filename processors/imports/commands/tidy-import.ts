import { endedRefusal } from '../../../schemas/imports/status.ts';
import { freeSlot } from '../attempt.ts';
import { cutDown } from '../ending.ts';
import { DROPPED, effectiveNow, importChange, importRows, type Step } from '../step.ts';

/**
 * Cuts down an import that has ended by the time of the record. The sweeper only supposes so: a claim may have lifted the
 * bound, and then nothing happens.
 */
export const tidyImport: Step<'tidy-import'> = {
  reads: ({ importId }, view) => importRows(importId, view),
  fold(scope) {
    const { view, root, input } = scope;
    const { importId } = input;
    const document = view.row('import', importId);
    const schema = document === null ? null : view.row('schema', document.schemaId);
    if (document === null || schema === null || root.lifecycle === null) return DROPPED;
    const ended = endedRefusal(effectiveNow(scope, document, schema, root.lifecycle)) !== null;
    if (!ended || document.tidiedAt !== null) return DROPPED;
    const { document: next, ...rest } = cutDown(scope, importId, document);
    return { ...DROPPED, ...rest, root: freeSlot(root, importId), put: [importChange(importId, next)] };
  },
};
