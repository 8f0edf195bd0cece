// The part of the import widget that examines a file: a module that the widget loads once a file is chosen.
import { type Examination, examineWith } from '../../../schemas/imports/fix/examination.ts';
import type { Choices } from '../../../schemas/imports/fix/findings.ts';
import type { Limits } from '../../../schemas/imports/fix/limits.ts';
import { previewOf } from '../../../schemas/imports/fix/preview.ts';
import { inSlices } from '../../../schemas/imports/fix/slices.ts';

/** Examines a file beside the other work of the page. Resolves with null for a file that is no text or beyond every limit. */
export function examineFile(
  bytes: Uint8Array,
  choices: Choices,
  limits: Limits,
  signal: AbortSignal,
): Promise<Examination | null> {
  return inSlices(examineWith(bytes, choices, { ...limits, previewOf }), signal);
}
