import { workspaceOf } from '../../schemas/base/ids.ts';
import type { Limits } from '../../schemas/limits.ts';
import { ACTIVE_KEYS_ROW } from '../../schemas/organizations/api-keys.ts';
import { type OrganizationsCommand, organizationsCommands } from '../../schemas/organizations/commands.ts';
import {
  CLAIMS_ROW,
  type OrganizationDocument,
  type OrganizationRows,
  organizationDocumentSchema,
  organizationRowSchemas,
} from '../../schemas/organizations/documents.ts';
import { SUBSCRIPTION_ROW } from '../../schemas/organizations/subscription.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold } from '../runtime/fold.ts';
import { defineSwitchingFold } from '../runtime/unconverted.ts';
import { createKey, revokeKey } from './api-keys.ts';
import { confirmAttachment, releaseAttachment, reserveAttachment } from './attach.ts';
import { confirmClaim, releaseClaim, releaseErased, requestErasure, reserveClaim } from './claims.ts';
import { acceptInvitation, invite, releaseInvitation, revokeInvitation } from './invitations.ts';
import { offerOperatorReset, offerReset, releaseReset, removeMember, setRole } from './members.ts';
import { eraseMember, moveMember } from './people-notices.ts';
import { releaseSetUp, setUp } from './set-up.ts';
import { cancelSubscription, subscribe, takeBillingEvent } from './subscription.ts';

/** The fold of organizations: members, the workspaces attached to them, API keys and the subscription. */
export function createOrganizationsFold(limits: Limits): AnyFold {
  return defineSwitchingFold<OrganizationDocument, OrganizationRows, typeof organizationsCommands>({
    ...{ topic: 'organizations', commands: organizationsCommands, limits },
    rootSchema: organizationDocumentSchema,
    rowSchemas: organizationRowSchemas,
    reads: rowsOf,
    fold(view, command, context) {
      switch (command.type) {
        case 'set-up':
          return setUp(view, command.input, context);
        case 'set-up-released':
          return releaseSetUp(view, command.input);
        case 'attach':
          return reserveAttachment(view, command, context);
        case 'attachment-confirmed':
          return confirmAttachment(view, command.input, context);
        case 'attachment-released':
          return releaseAttachment(view, command.input);
        case 'claim':
          return reserveClaim(view, command, context, limits);
        case 'claim-confirmed':
          return confirmClaim(view, command.input);
        case 'claim-released':
          return releaseClaim(view, command.input);
        case 'erase-workspace':
          return requestErasure(view, command, context);
        case 'workspace-erased':
          return releaseErased(view, command.input);
        case 'invite':
          return invite(view, command, context, limits);
        case 'revoke-invitation':
          return revokeInvitation(view, command);
        case 'accept-invitation':
          return acceptInvitation(view, command.input, context, limits);
        case 'invitation-released':
          return releaseInvitation(view, command.input);
        case 'set-role':
          return setRole(view, command);
        case 'remove-member':
          return removeMember(view, command, context);
        case 'offer-reset':
          return offerReset(view, command, context);
        case 'move-member':
          return moveMember(view, command.input, context);
        case 'erase-member':
          return eraseMember(view, command.input, context);
        case 'offer-operator-reset':
          return offerOperatorReset(view, command, context);
        case 'reset-released':
          return releaseReset(command.input);
        case 'create-key':
          return createKey(view, command, context, limits);
        case 'revoke-key':
          return revokeKey(view, command, context);
        case 'subscribe':
          return subscribe(view, command, context);
        case 'cancel-subscription':
          return cancelSubscription(view, command, context);
        case 'billing-event':
          return takeBillingEvent(view, command, context);
      }
    },
  });
}

function rowsOf(command: OrganizationsCommand): RowKey[] {
  switch (command.type) {
    case 'set-up':
    case 'reset-released':
      return [];
    case 'set-up-released':
    case 'move-member':
    case 'erase-member':
      return [{ kind: 'member', id: command.input.userId }];
    case 'attach':
      return [
        { kind: 'member', id: command.actor.id },
        { kind: 'workspace', id: workspaceOf(command.input.installationId) },
      ];
    case 'attachment-confirmed':
    case 'attachment-released':
      return [{ kind: 'workspace', id: command.input.workspaceId }];
    case 'claim':
      return [{ kind: 'member', id: command.actor.id }, CLAIMS_ROW];
    case 'claim-confirmed':
    case 'claim-released':
      return [CLAIMS_ROW];
    case 'erase-workspace':
      return [{ kind: 'member', id: command.actor.id }];
    case 'workspace-erased':
      return [{ kind: 'workspace', id: command.input.workspaceId }, CLAIMS_ROW];
    case 'invite':
    case 'offer-operator-reset':
      return [{ kind: 'member', id: command.actor.id }];
    case 'revoke-invitation':
      return [
        { kind: 'member', id: command.actor.id },
        { kind: 'invitation', id: command.input.invitationId },
      ];
    case 'accept-invitation':
    case 'invitation-released':
      return [
        { kind: 'member', id: command.input.userId },
        { kind: 'invitation', id: command.input.invitationId },
      ];
    case 'set-role':
    case 'remove-member':
    case 'offer-reset':
      return [
        { kind: 'member', id: command.actor.id },
        { kind: 'member', id: command.input.userId },
      ];
    case 'create-key':
      return [{ kind: 'member', id: command.actor.id }, ACTIVE_KEYS_ROW];
    case 'revoke-key':
      return [
        { kind: 'member', id: command.actor.id },
        { kind: 'api-key', id: command.input.keyId },
        ACTIVE_KEYS_ROW,
      ];
    case 'subscribe':
    case 'cancel-subscription':
      return [{ kind: 'member', id: command.actor.id }, SUBSCRIPTION_ROW, ACTIVE_KEYS_ROW];
    case 'billing-event':
      return [SUBSCRIPTION_ROW, ACTIVE_KEYS_ROW];
  }
}
