import type { Limits } from '../../schemas/limits.ts';
import type { PersonDocument } from '../../schemas/people/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import type { PersonResult } from './result.ts';

/** Notes when a person was last seen; several gateways report it, and an hour's accuracy is enough (contract B). */
export function notePersonSeen(
  root: PersonDocument | null,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  const noted: PersonResult = { outcome: { kind: 'done', result: {} }, remember: false };
  if (root === null) return noted;
  const { lastSeenAt } = root;
  if (lastSeenAt !== null && context.now < lastSeenAt + limits.workspace.lastUseMs) return noted;
  return { ...noted, root: { ...root, lastSeenAt: context.now } };
}
