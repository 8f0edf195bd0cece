import { z } from 'zod';
import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { claimEvidenceSchema } from '../workspaces/claim-evidence.ts';
import { keyProductSchema } from './api-keys.ts';
import { roleSchema } from './documents.ts';
import { billingEventIdSchema, subscriptionPlanSchema, subscriptionStatusSchema } from './subscription.ts';

/** Commands of the topic `organizations`; the key is the organization. */
export const organizationsCommands = undeclaredResults({
  /** Makes an organization and its owner; the person's fold answers. */
  'set-up': z.strictObject({
    name: nameSchema,
    /** Whether its members operate this service: only the organization of the set-up link. */
    operator: z.boolean(),
    personKey: sha256Schema,
    userId: idSchema('user'),
    /** Names the blob that holds the owner's e-mail address and password verifier. */
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  /** The person could not be made. */
  'set-up-released': z.strictObject({ userId: idSchema('user') }),
  /** A member asks for a workspace; the workspace's fold answers. */
  attach: z.strictObject({
    installationId: idSchema('installation'),
    claimDigest: sha256Schema,
    confirmed: z.boolean(),
  }),
  'attachment-confirmed': z.strictObject({ workspaceId: idSchema('workspace') }),
  'attachment-released': z.strictObject({ workspaceId: idSchema('workspace') }),
  /** An owner or admin claims a workspace; the workspace's fold answers. */
  claim: z.strictObject({ installationId: idSchema('installation'), evidence: claimEvidenceSchema }),
  'claim-confirmed': z.strictObject({ workspaceId: idSchema('workspace') }),
  'claim-released': z.strictObject({ workspaceId: idSchema('workspace') }),
  /** An owner erases a workspace; the workspace's fold answers. */
  'erase-workspace': z.strictObject({ installationId: idSchema('installation') }),
  /** The workspace is erased: its places are free. */
  'workspace-erased': z.strictObject({ workspaceId: idSchema('workspace') }),
  invite: z.strictObject({
    invitationId: idSchema('invitation'),
    role: roleSchema,
    codeDigest: sha256Schema,
  }),
  'revoke-invitation': z.strictObject({ invitationId: idSchema('invitation') }),
  /** A person takes an invitation up; the person's fold answers. */
  'accept-invitation': z.strictObject({
    invitationId: idSchema('invitation'),
    codeDigest: sha256Schema,
    personKey: sha256Schema,
    userId: idSchema('user'),
    /** The identity that the password was verified against, or that was written for a new person. */
    identityBlob: z.string().min(1).max(80),
    /** Whether the person is to be made. */
    isNew: z.boolean(),
    sessionDigest: sha256Schema,
  }),
  /** The person could not join. */
  'invitation-released': z.strictObject({
    invitationId: idSchema('invitation'),
    userId: idSchema('user'),
  }),
  'set-role': z.strictObject({ userId: idSchema('user'), role: roleSchema }),
  'remove-member': z.strictObject({ userId: idSchema('user') }),
  /** An owner offers a member a new password; the person's fold answers. */
  'offer-reset': z.strictObject({ userId: idSchema('user'), codeDigest: sha256Schema }),
  /** A member's person has another address. The remaining organizations of the person come next; the last one answers. */
  'move-member': z.strictObject({
    userId: idSchema('user'),
    personKey: sha256Schema,
    next: z.array(idSchema('organization')),
  }),
  /** A member's person is being erased; the person's fold goes on. */
  'erase-member': z.strictObject({ userId: idSchema('user'), personKey: sha256Schema }),
  /** An owner of the operators' organization offers any person a new password; the person's fold answers. */
  'offer-operator-reset': z.strictObject({ personKey: sha256Schema, codeDigest: sha256Schema }),
  /** The person's fold refused the link. */
  'reset-released': z.strictObject({ codeDigest: sha256Schema }),
  'create-key': z.strictObject({
    keyId: idSchema('key'),
    product: keyProductSchema,
    mode: keyModeSchema,
    name: nameSchema,
    digest: sha256Schema,
    last4: z.string().length(4),
  }),
  'revoke-key': z.strictObject({ keyId: idSchema('key') }),
  subscribe: z.strictObject({ plan: subscriptionPlanSchema }),
  'cancel-subscription': z.strictObject({}),
  /** What the billing provider says, at the time that it says. */
  'billing-event': z.strictObject({
    eventId: billingEventIdSchema,
    status: subscriptionStatusSchema,
    at: epochMsSchema,
  }),
});

export type OrganizationsCommand = CommandOf<typeof organizationsCommands>;
