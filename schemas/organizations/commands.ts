import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { browserNameSchema } from '../people/browser-name.ts';
import { peopleCommands } from '../people/commands.ts';
import { claimEvidenceSchema } from '../workspaces/claim-evidence.ts';
import { workspacesCommands } from '../workspaces/commands.ts';
import { apiKeyDocumentSchema, keyOverlapSchema, keyProductSchema } from './api-keys.ts';
import { roleSchema } from './documents.ts';
import {
  billingEventIdSchema,
  subscriptionDocumentSchema,
  subscriptionPlanSchema,
  subscriptionStatusSchema,
} from './subscription.ts';
import { switchesSchema, switchNameSchema } from './switches.ts';

const madeKey = apiKeyDocumentSchema.extend({ keyId: idSchema('key') });
const subscribed = subscriptionDocumentSchema.omit({ decided: true });

/**
 * Commands of the topic `organizations`; the key is the organization. If another product's fold answers a command,
 * the result is the result of that product's command.
 */
export const organizationsCommands = {
  /** Makes an organization and its owner; the person's fold answers. */
  'set-up': {
    input: z.strictObject({
      name: nameSchema,
      /** True if its members operate this service: only the organization of the set-up link. */
      operator: z.boolean(),
      personKey: sha256Schema,
      userId: idSchema('user'),
      /** Names the blob that holds the owner's e-mail address and password verifier. */
      identityBlob: z.string().min(1).max(80),
      sessionDigest: sha256Schema,
      browser: browserNameSchema.optional(),
    }),
    result: peopleCommands.create.result,
  },
  /** The person could not be made. */
  'set-up-released': { input: z.strictObject({ userId: idSchema('user') }), result: noResult },
  /** A member asks for a workspace; the workspace's fold answers. */
  attach: {
    input: z.strictObject({
      installationId: idSchema('installation'),
      claimDigest: sha256Schema,
      confirmed: z.boolean(),
    }),
    result: workspacesCommands.attach.result,
  },
  'attachment-confirmed': { input: z.strictObject({ workspaceId: idSchema('workspace') }), result: noResult },
  'attachment-released': { input: z.strictObject({ workspaceId: idSchema('workspace') }), result: noResult },
  /** An owner or admin claims a workspace; the workspace's fold answers. */
  claim: {
    input: z.strictObject({ installationId: idSchema('installation'), evidence: claimEvidenceSchema }),
    result: workspacesCommands.claim.result,
  },
  'claim-confirmed': { input: z.strictObject({ workspaceId: idSchema('workspace') }), result: noResult },
  'claim-released': { input: z.strictObject({ workspaceId: idSchema('workspace') }), result: noResult },
  /** An owner erases a workspace; the workspace's fold answers. */
  'erase-workspace': {
    input: z.strictObject({ installationId: idSchema('installation') }),
    result: workspacesCommands.erase.result,
  },
  /** The workspace is erased: its places are free. */
  'workspace-erased': { input: z.strictObject({ workspaceId: idSchema('workspace') }), result: noResult },
  invite: {
    input: z.strictObject({
      invitationId: idSchema('invitation'),
      role: roleSchema,
      codeDigest: sha256Schema,
      /** The outbox of the invited address; absent: the person who invites passes the link on. */
      outbox: sha256Schema.optional(),
    }),
    result: z.strictObject({ invitationId: idSchema('invitation'), expiresAt: epochMsSchema }),
  },
  'revoke-invitation': { input: z.strictObject({ invitationId: idSchema('invitation') }), result: noResult },
  /** A person takes an invitation up; the person's fold answers. */
  'accept-invitation': {
    input: z.strictObject({
      invitationId: idSchema('invitation'),
      codeDigest: sha256Schema,
      personKey: sha256Schema,
      userId: idSchema('user'),
      /** The identity that the password was verified against, or that was written for a new person. */
      identityBlob: z.string().min(1).max(80),
      /** True if the person is created by this command. */
      isNew: z.boolean(),
      sessionDigest: sha256Schema,
      browser: browserNameSchema.optional(),
    }),
    result: z.union([peopleCommands.join.result, peopleCommands['session-start'].result]),
  },
  /** The person could not join. */
  'invitation-released': {
    input: z.strictObject({
      invitationId: idSchema('invitation'),
      userId: idSchema('user'),
    }),
    result: noResult,
  },
  /** The code of an invitation has ended: its row is to be removed, also of one that was accepted. */
  'tidy-invitation': { input: z.strictObject({ invitationId: idSchema('invitation') }), result: noResult },
  'set-role': {
    input: z.strictObject({ userId: idSchema('user'), role: roleSchema }),
    result: z.strictObject({ userId: idSchema('user'), role: roleSchema }),
  },
  'remove-member': {
    input: z.strictObject({ userId: idSchema('user') }),
    result: z.strictObject({ userId: idSchema('user') }),
  },
  /** An owner offers a member a new password; the person's fold answers. */
  'offer-reset': {
    input: z.strictObject({ userId: idSchema('user'), codeDigest: sha256Schema }),
    result: peopleCommands['offer-reset'].result,
  },
  /** A member's person has another address. The remaining organizations of the person come next; the last one answers. */
  'move-member': {
    input: z.strictObject({
      userId: idSchema('user'),
      personKey: sha256Schema,
      next: z.array(idSchema('organization')),
    }),
    result: noResult,
  },
  /** A member's person is being erased. The person's fold continues the erasure. */
  'erase-member': {
    input: z.strictObject({ userId: idSchema('user'), personKey: sha256Schema }),
    result: noResult,
  },
  /** An owner of the operators' organization offers any person a new password; the person's fold answers. */
  'offer-operator-reset': {
    input: z.strictObject({ personKey: sha256Schema, codeDigest: sha256Schema }),
    result: peopleCommands['offer-reset'].result,
  },
  /** An owner of the operators' organization sets the switches of the service. */
  'set-switches': {
    /** `only`: the switches to set, where another operator may have set the others meanwhile; absent: all of them. */
    input: switchesSchema.extend({ only: z.array(switchNameSchema).optional() }),
    result: switchesSchema,
  },
  /** The person's fold refused the link. */
  'reset-released': { input: z.strictObject({ codeDigest: sha256Schema }), result: noResult },
  'create-key': {
    input: z.strictObject({
      keyId: idSchema('key'),
      product: keyProductSchema,
      mode: keyModeSchema,
      name: nameSchema,
      digest: sha256Schema,
      last4: z.string().length(4),
      expiresAt: epochMsSchema.optional(),
    }),
    result: madeKey,
  },
  /** Renames a key, or sets its expiry; null removes the expiry. */
  'change-key': {
    input: z.strictObject({
      keyId: idSchema('key'),
      name: nameSchema.optional(),
      expiresAt: epochMsSchema.nullable().optional(),
    }),
    result: madeKey,
  },
  /** Makes a key that replaces another one. The replaced key ends after `overlapMs`, with 0 at once. */
  'rotate-key': {
    input: z.strictObject({
      replacedId: idSchema('key'),
      overlapMs: keyOverlapSchema,
      keyId: idSchema('key'),
      digest: sha256Schema,
      last4: z.string().length(4),
    }),
    result: madeKey,
  },
  'revoke-key': { input: z.strictObject({ keyId: idSchema('key') }), result: madeKey },
  /** A person, or the key itself, ends a window of an identifier: counted by key, and by nothing else. */
  'end-window': { input: z.strictObject({ keyId: idSchema('key') }), result: noResult },
  subscribe: { input: z.strictObject({ plan: subscriptionPlanSchema }), result: subscribed },
  'cancel-subscription': { input: z.strictObject({}), result: subscribed },
  /** An event from the billing provider, with the provider's time. */
  'billing-event': {
    input: z.strictObject({
      eventId: billingEventIdSchema,
      status: subscriptionStatusSchema,
      at: epochMsSchema,
    }),
    result: subscribed,
  },
} as const satisfies CommandTable;
