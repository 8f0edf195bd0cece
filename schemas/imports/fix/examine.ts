import { type Examination, examineWith } from './examination.ts';
import type { Choices } from './findings.ts';
import { decodeLegacy } from './legacy.ts';
import type { Limits } from './limits.ts';

/** Examines a file as {@link examineWith} does, in any encoding. */
export function examine(
  bytes: Uint8Array,
  choices: Choices,
  limits: Limits,
): Generator<void, Examination | null> {
  return examineWith(bytes, choices, { decodeLegacy, ...limits });
}
