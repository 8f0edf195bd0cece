import type { Limits } from '../../schemas/limits.ts';
import { peopleCommands } from '../../schemas/people/commands.ts';
import { type PersonDocument, personDocumentSchema } from '../../schemas/people/documents.ts';
import { defineFold, type FoldDefinition } from '../runtime/fold.ts';
import { createPerson, enrollPerson } from './create.ts';
import { announceIdentity, tidyIdentity } from './identities.ts';
import { joinOrganization, leaveOrganization } from './join.ts';
import { changePassword, offerPasswordReset, resetPassword } from './password.ts';
import type { PersonRows } from './result.ts';
import { notePersonSeen } from './seen.ts';
import { endSession, noteRefusedSignIn, startSession, switchSession } from './sessions.ts';

export type PeopleFold = FoldDefinition<PersonDocument, PersonRows, typeof peopleCommands>;

/** The fold of people: each one aggregate, keyed by the e-mail address's HMAC (design rule 11). */
export function createPeopleFold(limits: Limits): PeopleFold {
  return defineFold<PersonDocument, PersonRows, typeof peopleCommands>({
    topic: 'people',
    schemas: peopleCommands,
    rootSchema: personDocumentSchema,
    rowSchemas: {},
    reads: () => [],
    fold({ root }, command, context) {
      switch (command.type) {
        case 'create':
          return createPerson(root, command.input, context, limits);
        case 'announce-identity':
          return announceIdentity();
        case 'tidy-identity':
          return tidyIdentity(root, command.input, context);
        case 'session-start':
          return startSession(root, command.input, context, limits);
        case 'sign-in-refused':
          return noteRefusedSignIn(root, command.input);
        case 'enroll':
          return enrollPerson(root, command.input, context, limits);
        case 'session-end':
          return endSession(root, command.input);
        case 'session-switch':
          return switchSession(root, command.input);
        case 'join':
          return joinOrganization(root, command.input, context, limits);
        case 'leave':
          return leaveOrganization(root, command.input, context);
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
