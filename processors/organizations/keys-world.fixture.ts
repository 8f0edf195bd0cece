import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import type { KeyMode, KeyStatus } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS, type Limits } from '../../schemas/limits.ts';
import {
  ACTIVE_KEYS_ROW,
  type ActiveKeysDocument,
  type ApiKeyDocument,
  hasKeyEnded,
} from '../../schemas/organizations/api-keys.ts';
import type { Role } from '../../schemas/organizations/documents.ts';
import {
  apiKeyStatus,
  SUBSCRIPTION_ROW,
  type SubscriptionDocument,
} from '../../schemas/organizations/subscription.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createOrganizationsFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);

const organizationId = idFrom('organization', keyedDigest('test', 'organization'));

export const keyNumbered = (number: number) => idFrom('key', keyedDigest('test', 'key', number));
const userOf = (role: Role) => idFrom('user', keyedDigest('test', role));

/** One organization with an owner, an admin and a member, its API keys and its subscription. */
export class KeysWorld extends FoldWorld {
  readonly organizationId = organizationId;

  constructor({ limits = DEFAULT_LIMITS, deliveries = 1 }: { limits?: Limits; deliveries?: number } = {}) {
    super([createPeopleFold(limits), createOrganizationsFold(limits)], START, deliveries);
    this.#setUp();
    for (const role of ['admin', 'member'] as const) this.#join(role);
  }

  /** Sends a command to the organization, by a member of this role or by the system. */
  ask(type: string, input: JsonObject, by: Role | 'system' = 'owner', key?: string): Outcome {
    const actor: Actor =
      by === 'system' ? { kind: 'system', id: 'test' } : { kind: 'user', id: userOf(by), organizationId };
    const sent = { topic: 'organizations', aggregate: organizationId, type, input, actor } as const;
    return this.send(key === undefined ? sent : { ...sent, key });
  }

  createKey(number: number, mode: KeyMode, by: Role = 'owner'): Outcome {
    const input = {
      keyId: keyNumbered(number),
      product: 'limiter',
      mode,
      name: `key ${number}`,
      digest: sha256Hex(`secret ${number}`),
      last4: 'abcd',
    };
    return this.ask('create-key', input, by, `create ${number}`);
  }

  /** Renames a key, or sets its expiry. */
  changeKey(number: number, changes: JsonObject, by: Role = 'owner'): Outcome {
    return this.ask('change-key', { keyId: keyNumbered(number), ...changes }, by);
  }

  /** Replaces a key by another one. */
  rotateKey(number: number, next: number, overlapMs: number, by: Role = 'owner'): Outcome {
    const made = { keyId: keyNumbered(next), digest: sha256Hex(`secret ${next}`), last4: 'abcd' };
    return this.ask(
      'rotate-key',
      { replacedId: keyNumbered(number), overlapMs, ...made },
      by,
      `rotate ${next}`,
    );
  }

  revokeKey(number: number, by: Role = 'owner'): Outcome {
    return this.ask('revoke-key', { keyId: keyNumbered(number) }, by);
  }

  /** Counts a window that is ended with a key. */
  endWindow(number: number, actor: Actor): Outcome {
    const input = { keyId: keyNumbered(number) };
    return this.send({ topic: 'organizations', aggregate: organizationId, type: 'end-window', input, actor });
  }

  billingEvent(eventId: string, status: string, at: number): Outcome {
    return this.ask('billing-event', { eventId, status, at }, 'system', eventId);
  }

  get subscription(): SubscriptionDocument | null {
    return this.#row(SUBSCRIPTION_ROW.kind, SUBSCRIPTION_ROW.id) as SubscriptionDocument | null;
  }

  get activeKeys(): ActiveKeysDocument['keys'] {
    return (this.#row(ACTIVE_KEYS_ROW.kind, ACTIVE_KEYS_ROW.id) as ActiveKeysDocument | null)?.keys ?? [];
  }

  key(number: number): ApiKeyDocument | null {
    return this.#row('api-key', keyNumbered(number)) as ApiKeyDocument | null;
  }

  /** The status of a key, as the limiter gets to know it by a gateway. */
  status(number: number): KeyStatus | null {
    const key = this.key(number);
    if (key === null) return null;
    return hasKeyEnded(key, this.now) ? 'revoked' : apiKeyStatus(key, this.subscription);
  }

  /**
   * The key status that the limiter received last, newest version first; null if it received none, and then it asks.
   */
  told(number: number): KeyStatus | null {
    const told = this.keyStatuses.filter(({ keyId }) => keyId === keyNumbered(number));
    return told.sort((left, right) => right.version - left.version)[0]?.status ?? null;
  }

  #row(kind: string, id: string): JsonObject | null {
    return this.row('organizations', organizationId, kind, id);
  }

  #setUp(): void {
    this.send({
      topic: 'organizations',
      aggregate: organizationId,
      type: 'set-up',
      input: { name: 'Example', operator: false, ...newcomer('owner') },
    });
  }

  #join(role: Role): void {
    const invitationId = idFrom('invitation', keyedDigest('test', role));
    const codeDigest = sha256Hex(role);
    this.ask('invite', { invitationId, role, codeDigest });
    this.ask('accept-invitation', { invitationId, codeDigest, isNew: true, ...newcomer(role) }, 'system');
  }
}

function newcomer(role: Role) {
  return {
    personKey: sha256Hex(`person ${role}`),
    userId: userOf(role),
    identityBlob: role,
    sessionDigest: sha256Hex(`session ${role}`),
  };
}
