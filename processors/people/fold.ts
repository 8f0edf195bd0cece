import type { Limits } from '../../schemas/limits.ts';
import { peopleCommands } from '../../schemas/people/commands.ts';
import { personRootSchema } from '../../schemas/people/documents.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import { changeEmail, moveIn, releaseAddress, reserveAddress } from './change-email.ts';
import { createPerson, enrollPerson } from './create.ts';
import { erasePerson, leaveAndErase } from './erase.ts';
import { announceIdentity, tidyIdentity } from './identities.ts';
import { joinOrganization, leaveOrganization } from './join.ts';
import { changePassword, offerMailedReset, offerPasswordReset, resetPassword } from './password.ts';
import type { PeopleFold } from './people-fold.ts';
import { endSession, notePersonSeen, noteRefusedSignIn, startSession, switchSession } from './sessions.ts';

/** The fold of people: each one aggregate, keyed by the e-mail address's HMAC. */
export function createPeopleFold(limits: Limits): AnyFold {
  return defineFold<PeopleFold>({
    topic: 'people',
    commands: peopleCommands,
    rootSchema: personRootSchema,
    rowSchemas: {},
    limits,
    handlers: {
      create: createPerson,
      'announce-identity': announceIdentity,
      'tidy-identity': tidyIdentity,
      'session-start': startSession,
      'sign-in-refused': noteRefusedSignIn,
      enroll: enrollPerson,
      'session-end': endSession,
      'session-switch': switchSession,
      join: joinOrganization,
      leave: leaveOrganization,
      'reserve-address': reserveAddress,
      'change-email': changeEmail,
      'address-released': releaseAddress,
      'move-in': moveIn,
      'erase-person': erasePerson,
      'member-erased': leaveAndErase,
      'change-password': changePassword,
      'offer-reset': offerPasswordReset,
      'offer-mailed-reset': offerMailedReset,
      'reset-password': resetPassword,
      seen: notePersonSeen,
    },
  });
}
