import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import {
  ACTIVE_KEYS_ROW,
  type ActiveKeysDocument,
  type ApiKeyDocument,
  hasKeyEnded,
  KEY_EXPIRY_LEAD_MS,
} from '../../schemas/organizations/api-keys.ts';
import { timelineId } from '../../schemas/organizations/documents.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { refused, refusedFor } from '../runtime/fold/results.ts';
import { actingOwnerOrAdmin, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

type Changing = Pick<Scope<OrganizationsFold>, 'row' | 'context'>;

/** Makes an API key, which is known by its digest only. Its status reaches the limiter with its first call. */
export const createKey: CommandHandler<OrganizationsFold, 'create-key'> = {
  reads: ({ actor }) => [memberRow(actor.id), ACTIVE_KEYS_ROW],
  fold(scope) {
    const { input, actor, context, limits } = scope;
    const { keyId, ...wanted } = input;
    const { mode, expiresAt } = wanted;
    const acting = actingOwnerOrAdmin(scope, 'create an API key');
    if ('refused' in acting) return refused(acting.refused);
    if (expiresAt !== undefined && isTooSoon(expiresAt, context.now)) return refused(TOO_SOON);
    const active = activeKeys(scope);
    const keysMax = limits.limiter.keysPerMode;
    if (active.filter((key) => key.mode === mode && key.isReplaced !== true).length >= keysMax) {
      return refusedFor('limit_reached', {
        at: 'organization.keys',
        seen: `${keysMax} active ${mode} keys`,
        expected: 'fewer; revoking one frees its place',
      });
    }
    const document = { ...wanted, createdAt: context.now, createdBy: actor.id, revokedAt: null };
    return made({ keyId, document, active: [...active, activeEntry(keyId, document)] }, context);
  },
};

/** Renames a key, or sets its expiry. The limiter reads an expiry with the status, and caches no status for longer. */
export const changeKey: CommandHandler<OrganizationsFold, 'change-key'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), keyRow(input.keyId), ACTIVE_KEYS_ROW],
  fold(scope) {
    const { input, context } = scope;
    const { keyId, name, expiresAt } = input;
    const acting = actingOwnerOrAdmin(scope, 'change an API key');
    if ('refused' in acting) return refused(acting.refused);
    const key = usableKey(scope, keyId);
    if ('refused' in key) return refused(key.refused);
    const held = key.usable;
    if (expiresAt !== undefined && expiresAt !== (held.expiresAt ?? null)) {
      const refusal = refusedExpiry(held, expiresAt, context.now);
      if (refusal !== null) return refused(refusal);
    }
    const { expiresAt: _, ...rest } = held;
    const end = expiresAt === undefined ? held.expiresAt : (expiresAt ?? undefined);
    const document: ApiKeyDocument = {
      ...rest,
      name: name ?? held.name,
      ...(end === undefined ? {} : { expiresAt: end }),
    };
    const changed = [
      ...(document.name === held.name ? [] : ['name']),
      ...(end === held.expiresAt ? [] : ['expiry']),
    ];
    const isSame = changed.length === 0;
    return {
      outcome: { kind: 'done', result: { keyId, ...document } },
      put: isSame ? [] : [{ kind: 'api-key', id: keyId, document }, withActive(scope, keyId, document)],
      audit: isSame ? false : { mode: held.mode, changed: changed.join(' ') },
    };
  },
};

/** Makes a key with the product, mode and name of another one, which ends with the overlap. */
export const rotateKey: CommandHandler<OrganizationsFold, 'rotate-key'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), keyRow(input.replacedId), ACTIVE_KEYS_ROW],
  fold(scope) {
    const { input, actor, context, limits } = scope;
    const { replacedId, overlapMs, keyId, digest, last4 } = input;
    const acting = actingOwnerOrAdmin(scope, 'rotate an API key');
    if ('refused' in acting) return refused(acting.refused);
    const found = usableKey(scope, replacedId);
    if ('refused' in found) return refused(found.refused);
    const { product, mode, name, replacedBy, expiresAt } = found.usable;
    if (replacedBy !== undefined) return refused(REPLACED);
    const others = activeKeys(scope).filter((key) => key.keyId !== replacedId);
    const replacedMax = limits.limiter.keysPerMode;
    if (others.filter((key) => key.mode === mode && key.isReplaced === true).length >= replacedMax) {
      return refusedFor('limit_reached', {
        at: 'organization.keys',
        seen: `${replacedMax} replaced ${mode} keys that have not ended`,
        expected: 'fewer; revoking one frees its place',
      });
    }
    const document = { product, mode, name, digest, last4, createdAt: context.now, createdBy: actor.id };
    const end = Math.min(context.now + overlapMs, expiresAt ?? Number.POSITIVE_INFINITY);
    const replaced: ApiKeyDocument =
      overlapMs === 0
        ? { ...found.usable, replacedBy: keyId, revokedAt: context.now }
        : { ...found.usable, replacedBy: keyId, expiresAt: end };
    const active = [...others, activeEntry(keyId, document)];
    if (overlapMs > 0) active.push(activeEntry(replacedId, replaced));
    const result = made({ keyId, document: { ...document, revokedAt: null }, active }, context);
    return {
      ...result,
      put: [...result.put, { kind: 'api-key', id: replacedId, document: replaced }],
      effects: overlapMs > 0 ? result.effects : [...result.effects, revokedEffect(replacedId, context)],
      audit: { mode, replacedId },
    };
  },
};

/**
 * Revokes a key for good. The limiter knows it before this is answered, and so does every gateway. Its look-up stays: where
 * it points never changes, so that gateways may keep it. A key that cannot be read is removed.
 */
export const revokeKey: CommandHandler<OrganizationsFold, 'revoke-key'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), keyRow(input.keyId), ACTIVE_KEYS_ROW],
  admitsUnreadable: ['api-key', ACTIVE_KEYS_ROW.kind],
  fold(scope) {
    const { row, salvaged, input, actor, context } = scope;
    const { keyId } = input;
    const acting = actingOwnerOrAdmin(scope, 'revoke an API key');
    if ('refused' in acting) return refused(acting.refused);
    const key = row('api-key', keyId);
    if (key !== null && key.revokedAt !== null) {
      return { outcome: { kind: 'done', result: { keyId, ...key } }, audit: false };
    }
    const known = salvaged('api-key', keyId);
    if (key === null && known === null) return refused(NO_KEY);
    const held = key ?? { ...UNKNOWN_KEY, createdBy: actor.id, ...known };
    const document: ApiKeyDocument = { ...held, revokedAt: context.now };
    // A list of active keys that cannot be read stays as it is: the keys' own rows decide.
    const isListReadable = salvaged(ACTIVE_KEYS_ROW.kind, ACTIVE_KEYS_ROW.id) === null;
    const active = isListReadable ? [withActive(scope, keyId, null)] : [];
    const order = { kind: 'api-key-order' as const, id: timelineId(document.createdAt, keyId) };
    return {
      outcome: { kind: 'done', result: { keyId, ...document } },
      put: [...(key === null ? [] : [{ ...keyRow(keyId), document }]), ...active],
      remove: key === null ? [keyRow(keyId), order] : [],
      effects: [revokedEffect(keyId, context)],
      audit: { mode: document.mode },
    };
  },
};

/** Shown for members of a revoked key that cannot be read. */
const UNKNOWN_KEY = {
  product: 'limiter',
  mode: 'test',
  name: 'Unreadable key',
  digest: '0'.repeat(64),
  last4: '----',
  createdAt: 0,
  revokedAt: null,
} as const satisfies Omit<ApiKeyDocument, 'createdBy'>;

/** Counts a window that a person ends, or a backend with the key itself. */
export const endWindow: CommandHandler<OrganizationsFold, 'end-window'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), keyRow(input.keyId)],
  fold(scope) {
    const { input, actor } = scope;
    const { keyId } = input;
    const isOwnKey = actor.kind === 'agent' && actor.id === keyId;
    const acting = isOwnKey ? null : actingOwnerOrAdmin(scope, 'end a window');
    if (acting !== null && 'refused' in acting) return refused(acting.refused);
    const key = usableKey(scope, keyId);
    if ('refused' in key) return refused(key.refused);
    const { usable } = key;
    const document = { ...usable, windowsEnded: (usable.windowsEnded ?? 0) + 1 };
    return {
      outcome: { kind: 'done', result: {} },
      put: [{ kind: 'api-key', id: keyId, document }],
      audit: { keyId, mode: usable.mode },
    };
  },
};

/** The keys that are neither revoked nor expired. */
export function activeKeys({ row, context }: Changing): ActiveKeysDocument['keys'] {
  const { keys } = row(ACTIVE_KEYS_ROW.kind, ACTIVE_KEYS_ROW.id) ?? { keys: [] };
  return keys.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > context.now);
}

/** The result of making a key: its documents, and the entry that leads from its digest to it. */
function made(
  {
    keyId,
    document,
    active,
  }: {
    readonly keyId: string;
    readonly document: ApiKeyDocument;
    readonly active: ActiveKeysDocument['keys'];
  },
  { now, aggregate }: Changing['context'],
) {
  const { mode, digest } = document;
  const target = { organizationId: aggregate, keyId, mode };
  return {
    outcome: { kind: 'done', result: { keyId, ...document } },
    put: [
      { kind: 'api-key', id: keyId, document },
      { kind: 'api-key-order', id: timelineId(now, keyId), document: { keyId } },
      { ...ACTIVE_KEYS_ROW, document: { keys: active } },
    ],
    effects: [{ kind: 'index', entry: { kind: 'api-key', digest, target, expiresAt: null } }],
    remember: { entity: `api-key/${keyId}` },
    audit: { mode },
  } satisfies FoldResult<OrganizationsFold, 'create-key'>;
}

function keyRow(id: string) {
  return { kind: 'api-key', id } as const;
}

type ActiveKey = ActiveKeysDocument['keys'][number];

function activeEntry(
  keyId: string,
  { mode, expiresAt, replacedBy }: Pick<ApiKeyDocument, 'mode' | 'expiresAt' | 'replacedBy'>,
): ActiveKey {
  return {
    keyId,
    mode,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(replacedBy === undefined ? {} : { isReplaced: true }),
  };
}

/** The change of the row of active keys that makes a key what its document says; null removes the key. */
function withActive(scope: Changing, keyId: string, document: ApiKeyDocument | null) {
  const others = activeKeys(scope).filter((key) => key.keyId !== keyId);
  const keys = document === null ? others : [...others, activeEntry(keyId, document)];
  return { ...ACTIVE_KEYS_ROW, document: { keys } };
}

function revokedEffect(keyId: string, { aggregate }: Changing['context']): Effect {
  return { kind: 'limiter-status', key: { account: aggregate, keyId }, status: 'revoked' };
}

function usableKey(
  { row, context }: Changing,
  keyId: string,
): { readonly usable: ApiKeyDocument } | { readonly refused: Refusal } {
  const key = row('api-key', keyId);
  if (key === null) return { refused: NO_KEY };
  return hasKeyEnded(key, context.now) ? { refused: ENDED } : { usable: key };
}

function refusedExpiry(key: ApiKeyDocument, expiresAt: number | null, now: number): Refusal | null {
  const isLater = expiresAt === null || (key.expiresAt !== undefined && expiresAt > key.expiresAt);
  if (key.replacedBy !== undefined && isLater) return REPLACED;
  return expiresAt !== null && isTooSoon(expiresAt, now) ? TOO_SOON : null;
}

function isTooSoon(expiresAt: number, now: number): boolean {
  return expiresAt < now + KEY_EXPIRY_LEAD_MS;
}

const NO_KEY = refusal('not_found', {
  at: 'path.keyId',
  seen: 'the id of no key',
  expected: 'the id of a key of this organization',
});

const ENDED = refusal('state_conflict', {
  at: 'path.keyId',
  seen: 'a revoked or expired key',
  expected: 'an active key; a key that has ended stays so',
});

const REPLACED = refusal('state_conflict', {
  at: 'path.keyId',
  seen: 'a key that another key has replaced',
  expected: 'the key that replaced it, or an earlier end of this one',
});

const TOO_SOON = refusal('bad_request', {
  at: 'body.expiresAt',
  seen: 'a time less than two minutes ahead',
  expected: 'a later time (to end a key now, revoke it)',
});
