import type { Limits } from '../../schemas/limits.ts';
import { organizationsCommands } from '../../schemas/organizations/commands.ts';
import { organizationDocumentSchema, organizationRowSchemas } from '../../schemas/organizations/documents.ts';
import { type AnyFold, defineFold } from '../runtime/fold/fold.ts';
import { changeKey, createKey, endWindow, revokeKey, rotateKey } from './api-keys.ts';
import { confirmAttachment, releaseAttachment, reserveAttachment } from './attach.ts';
import { confirmClaim, releaseClaim, releaseErased, requestErasure, reserveClaim } from './claims.ts';
import {
  acceptInvitation,
  invite,
  releaseInvitation,
  revokeInvitation,
  tidyInvitation,
} from './invitations.ts';
import { offerOperatorReset, offerReset, releaseReset, removeMember, setRole } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';
import { eraseMember, moveMember } from './people-notices.ts';
import { releaseSetUp, setUp } from './set-up.ts';
import { cancelSubscription, subscribe, takeBillingEvent } from './subscription.ts';
import { setSwitches } from './switches.ts';

/** The fold of organizations: members, the workspaces attached to them, API keys and the subscription. */
export function createOrganizationsFold(limits: Limits): AnyFold {
  return defineFold<OrganizationsFold>({
    topic: 'organizations',
    commands: organizationsCommands,
    rootSchema: organizationDocumentSchema,
    rowSchemas: organizationRowSchemas,
    limits,
    handlers: {
      'set-up': setUp,
      'set-up-released': releaseSetUp,
      attach: reserveAttachment,
      'attachment-confirmed': confirmAttachment,
      'attachment-released': releaseAttachment,
      claim: reserveClaim,
      'claim-confirmed': confirmClaim,
      'claim-released': releaseClaim,
      'erase-workspace': requestErasure,
      'workspace-erased': releaseErased,
      invite: invite,
      'revoke-invitation': revokeInvitation,
      'accept-invitation': acceptInvitation,
      'invitation-released': releaseInvitation,
      'tidy-invitation': tidyInvitation,
      'set-role': setRole,
      'remove-member': removeMember,
      'offer-reset': offerReset,
      'move-member': moveMember,
      'erase-member': eraseMember,
      'offer-operator-reset': offerOperatorReset,
      'reset-released': releaseReset,
      'set-switches': setSwitches,
      'create-key': createKey,
      'change-key': changeKey,
      'rotate-key': rotateKey,
      'revoke-key': revokeKey,
      'end-window': endWindow,
      subscribe: subscribe,
      'cancel-subscription': cancelSubscription,
      'billing-event': takeBillingEvent,
    },
  });
}
