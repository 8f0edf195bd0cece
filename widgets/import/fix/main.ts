// The part of the import widget that examines a file: a module that the widget loads once a file is chosen.
import { type Examination, examine } from './examine.ts';
import type { Choices, Limits } from './findings.ts';
import { inSlices } from './slices.ts';

/** Examines a file beside the other work of the page. Resolves with null for a file that is no text or beyond every limit. */
export function examineFile(
  bytes: Uint8Array,
  choices: Choices,
  limits: Limits,
  signal: AbortSignal,
): Promise<Examination | null> {
  return inSlices(examine(bytes, choices, limits), signal);
}
