import type { Limits } from '../../schemas/limits.ts';
import { peopleCommands } from '../../schemas/people/commands.ts';
import { type PersonRoot, personOf, personRootSchema } from '../../schemas/people/documents.ts';
import type { AnyFold } from '../runtime/fold.ts';
import { defineSwitchingFold } from '../runtime/unconverted.ts';
import { changeEmail, moveIn, releaseAddress, reserveAddress } from './change-email.ts';
import { createPerson, enrollPerson } from './create.ts';
import { erasePerson, leaveAndErase } from './erase.ts';
import { announceIdentity, tidyIdentity } from './identities.ts';
import { joinOrganization, leaveOrganization } from './join.ts';
import { changePassword, offerPasswordReset, resetPassword } from './password.ts';
import type { PersonRows } from './result.ts';
import { notePersonSeen } from './seen.ts';
import { endSession, noteRefusedSignIn, startSession, switchSession } from './sessions.ts';

/** The fold of people: each one aggregate, keyed by the e-mail address's HMAC (design rule 11). */
export function createPeopleFold(limits: Limits): AnyFold {
  return defineSwitchingFold<PersonRoot, PersonRows, typeof peopleCommands>({
    topic: 'people',
    commands: peopleCommands,
    limits,
    rootSchema: personRootSchema,
    rowSchemas: {},
    reads: () => [],
    fold({ root: address }, command, context) {
      const root = personOf(address);
      switch (command.type) {
        case 'create':
          return createPerson(address, command.input, context, limits);
        case 'announce-identity':
          return announceIdentity();
        case 'tidy-identity':
          return tidyIdentity(address, command.input, context);
        case 'session-start':
          return startSession(root, command.input, context, limits);
        case 'sign-in-refused':
          return noteRefusedSignIn(root, command.input);
        case 'enroll':
          return enrollPerson(address, command.input, context, limits);
        case 'session-end':
          return endSession(root, command.input);
        case 'session-switch':
          return switchSession(root, command.input);
        case 'join':
          return joinOrganization(address, command.input, context, limits);
        case 'leave':
          return leaveOrganization(root, command.input, context);
        case 'reserve-address':
          return reserveAddress(address, command.input, context);
        case 'change-email':
          return changeEmail(root, command.input, context);
        case 'address-released':
          return releaseAddress(address, command.input, context);
        case 'move-in':
          return moveIn(address, command.input, context, limits);
        case 'erase-person':
          return erasePerson(root, command.input, context);
        case 'member-erased':
          return leaveAndErase(root, command.input, context);
        case 'change-password':
          return changePassword(root, command.input, context);
        case 'offer-reset':
          return offerPasswordReset(root, command.input, context, limits);
        case 'reset-password':
          return resetPassword(root, command.input, context);
        case 'seen':
          return notePersonSeen(root, context, limits);
      }
    },
  });
}
