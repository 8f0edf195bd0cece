import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import {
  type ActiveKeysDocument,
  type ApiKeyDocument,
  type ApiKeyOrderDocument,
  activeKeysDocumentSchema,
  apiKeyDocumentSchema,
  apiKeyOrderDocumentSchema,
} from './api-keys.ts';
import { type SubscriptionDocument, subscriptionDocumentSchema } from './subscription.ts';
import { type Switches, switchesSchema } from './switches.ts';

export const roleSchema = z.enum(['owner', 'admin', 'member']).meta({
  id: 'Role',
  description:
    '`owner`: everything. `admin`: everything except what only owners may. `member`: metadata and counts.',
});

export type Role = z.infer<typeof roleSchema>;

/** Root document of the table `organizations`. The aggregate's id is the organization's. */
export const organizationDocumentSchema = z.strictObject({
  name: nameSchema,
  /** `released`: its first owner could not be made, so it is as if it had never been. */
  state: z.enum(['active', 'released']),
  /**
   * True if its members operate this service: only the organization of the set-up link
   * (infra/docs/reference/operations.md#operators).
   */
  operator: z.boolean(),
  createdAt: epochMsSchema,
  members: z.int().nonnegative(),
  /** At least one while the organization is active. */
  owners: z.int().nonnegative(),
  /** Invitations that may still be accepted; ended ones leave when the next one is made. */
  openInvitations: z.array(
    z.strictObject({ invitationId: idSchema('invitation'), expiresAt: epochMsSchema }),
  ),
});

export type OrganizationDocument = z.infer<typeof organizationDocumentSchema>;

/** Row kind `member`, id: the user's. The authority on who may act for the organization. */
export const memberDocumentSchema = z.strictObject({
  /** The person's aggregate: the HMAC of the e-mail address. */
  personKey: sha256Schema,
  role: roleSchema,
  joinedAt: epochMsSchema,
});

export type MemberDocument = z.infer<typeof memberDocumentSchema>;

/** Row kind `invitation`, id: the invitation's. A one-time code lets one person join. */
export const invitationDocumentSchema = z.strictObject({
  role: roleSchema,
  /** SHA-256 of the code. */
  digest: sha256Schema,
  createdAt: epochMsSchema,
  /** The member who made it. Earlier versions leave it out. */
  createdBy: idSchema('user').optional(),
  expiresAt: epochMsSchema,
  /** The person who accepted it, or null while it is open. */
  acceptedBy: idSchema('user').nullable(),
});

export type InvitationDocument = z.infer<typeof invitationDocumentSchema>;

/** Row kind `workspace`, id: the workspace's. The workspace itself decides whether it is attached. */
const attachedWorkspaceDocumentSchema = z.strictObject({
  state: z.enum(['reserved', 'attached']),
  /** When the attachment was asked for: its place in the timeline. */
  at: epochMsSchema,
});

export type AttachedWorkspaceDocument = z.infer<typeof attachedWorkspaceDocumentSchema>;

/** Row kind `timeline`, id: {@link timelineId}. Lists the workspaces by time. */
export const timelineDocumentSchema = z.strictObject({ workspaceId: idSchema('workspace') });

export type TimelineDocument = z.infer<typeof timelineDocumentSchema>;

/** Row kind `claims`, id: {@link CLAIMS_ROW}: what the limit of claimed workspaces counts, a handful by that limit. */
export const claimsDocumentSchema = z.strictObject({
  /** `reserved`: asked for; the workspace has not decided yet. */
  workspaces: z.array(
    z.strictObject({ workspaceId: idSchema('workspace'), state: z.enum(['reserved', 'claimed']) }),
  ),
});

export type ClaimsDocument = z.infer<typeof claimsDocumentSchema>;

/** There is one such row. */
export const CLAIMS_ROW = { kind: 'claims', id: 'all' } as const;

export const organizationRowSchemas = {
  member: memberDocumentSchema,
  invitation: invitationDocumentSchema,
  workspace: attachedWorkspaceDocumentSchema,
  timeline: timelineDocumentSchema,
  claims: claimsDocumentSchema,
  'api-key': apiKeyDocumentSchema,
  'api-key-order': apiKeyOrderDocumentSchema,
  'active-keys': activeKeysDocumentSchema,
  subscription: subscriptionDocumentSchema,
  switches: switchesSchema,
} as const;

export type OrganizationRows = {
  member: MemberDocument;
  invitation: InvitationDocument;
  workspace: AttachedWorkspaceDocument;
  timeline: TimelineDocument;
  claims: ClaimsDocument;
  'api-key': ApiKeyDocument;
  'api-key-order': ApiKeyOrderDocument;
  'active-keys': ActiveKeysDocument;
  subscription: SubscriptionDocument;
  switches: Switches;
};

/** Digits of a time in an id: enough for every time until the year 33658, so that texts compare as the times do. */
const TIME_DIGITS = 15;

/** The id of a row `timeline` or `api-key-order`: the bytes of two ids compare as their times do. */
export function timelineId(at: number, id: string): string {
  return `${String(at).padStart(TIME_DIGITS, '0')}:${id}`;
}

/** Target of a look-up of kind `invitation-code`. */
export const invitationTargetSchema = z.strictObject({
  organizationId: idSchema('organization'),
  invitationId: idSchema('invitation'),
});
