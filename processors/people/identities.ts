import { refusal } from '../../schemas/base/errors.ts';
import { PERSON_BLOB_GROUP } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import type { CommandHandler, Effect, FoldContext } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import type { PeopleFold } from './people-fold.ts';

const RETRY_AFTER_SECONDS = 1;

/** The refusal of a command that names a new identity blob after its use has ended: the sweep may have removed the bytes. */
export const IDENTITY_ENDED = refusal(
  'unavailable',
  'The request was handled too late and changed nothing. Send it again.',
  RETRY_AFTER_SECONDS,
);

/** Notes that a blob is about to be written. The record itself is what the sweep reads. */
export const announceIdentity: CommandHandler<PeopleFold, 'announce-identity'> = {
  fold: () => DONE_UNREMEMBERED,
};

/** Removes an announced blob unless the person has it, or a command may still name it. */
export const tidyIdentity: CommandHandler<PeopleFold, 'tidy-identity'> = {
  fold({ root, input: { identityBlob }, context }) {
    const own = root !== null && 'identityBlob' in root ? root.identityBlob : null;
    const isNeeded = own === identityBlob || isIdentityUsable(identityBlob, context.now);
    return isNeeded
      ? DONE_UNREMEMBERED
      : { ...DONE_UNREMEMBERED, effects: [removeIdentity(context, identityBlob)] };
  },
};

export function removeIdentity({ aggregate }: FoldContext, name: string): Effect {
  return { kind: 'remove-blob', address: { owner: aggregate, group: PERSON_BLOB_GROUP, name } };
}
