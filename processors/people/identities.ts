import { refusal } from '../../schemas/base/errors.ts';
import { PERSON_BLOB_GROUP, type PersonRoot } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import type { PersonInput, PersonResult } from './result.ts';

const RETRY_AFTER_SECONDS = 1;

/** The refusal of a command that names a new identity blob after its use has ended: the sweep may have removed the bytes. */
export const IDENTITY_ENDED = refusal(
  'unavailable',
  'The request was handled too late and changed nothing. Send it again.',
  RETRY_AFTER_SECONDS,
);

const NOTED = { outcome: { kind: 'done', result: {} }, remember: false } as const satisfies PersonResult;

/** Notes that a blob is about to be written. The record itself is what the sweep reads. */
export function announceIdentity(): PersonResult {
  return NOTED;
}

/** Removes an announced blob unless the person has it, or a command may still name it. */
export function tidyIdentity(
  root: PersonRoot | null,
  { identityBlob }: PersonInput<'tidy-identity'>,
  context: FoldContext,
): PersonResult {
  const own = root !== null && 'identityBlob' in root ? root.identityBlob : null;
  const isNeeded = own === identityBlob || isIdentityUsable(identityBlob, context.now);
  return isNeeded ? NOTED : { ...NOTED, effects: [removeIdentity(context, identityBlob)] };
}

/** The effect that removes an identity blob of this person. */
export function removeIdentity({ aggregate }: FoldContext, name: string): Effect {
  return { kind: 'remove-blob', address: { owner: aggregate, group: PERSON_BLOB_GROUP, name } };
}
