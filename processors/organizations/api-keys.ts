import { ACTIVE_KEYS_ROW, type ActiveKeysDocument } from '../../schemas/organizations/api-keys.ts';
import { timelineId } from '../../schemas/organizations/documents.ts';
import type { CommandHandler, Scope } from '../runtime/fold.ts';
import { refused, refusedFor } from '../runtime/results.ts';
import { actingOwnerOrAdmin, memberRow } from './members.ts';
import type { OrganizationsFold } from './organizations-fold.ts';

/** Makes an API key, which is known by its digest only. Its status reaches the limiter with its first call. */
export const createKey: CommandHandler<OrganizationsFold, 'create-key'> = {
  reads: ({ actor }) => [memberRow(actor.id), ACTIVE_KEYS_ROW],
  fold(scope) {
    const { input, actor, context, limits } = scope;
    const { keyId, ...wanted } = input;
    const acting = actingOwnerOrAdmin(scope, 'create an API key');
    if ('refused' in acting) return refused(acting.refused);
    const active = activeKeys(scope);
    const keysMax = limits.limiter.keysPerMode;
    if (active.filter(({ mode }) => mode === wanted.mode).length >= keysMax) {
      return refusedFor('limit_reached', {
        at: 'organization.keys',
        seen: `${keysMax} active ${wanted.mode} keys`,
        expected: 'fewer; revoking one frees its place',
      });
    }
    const { mode, digest } = wanted;
    const document = { ...wanted, createdAt: context.now, createdBy: actor.id, revokedAt: null };
    return {
      outcome: { kind: 'done', result: { keyId, ...document } },
      put: [
        { kind: 'api-key', id: keyId, document },
        { kind: 'api-key-order', id: timelineId(context.now, keyId), document: { keyId } },
        { ...ACTIVE_KEYS_ROW, document: { keys: [...active, { keyId, mode }] } },
      ],
      effects: [
        {
          kind: 'index',
          entry: {
            kind: 'api-key',
            digest,
            target: { organizationId: context.aggregate, keyId, mode },
            expiresAt: null,
          },
        },
      ],
      remember: { entity: `api-key/${keyId}` },
      audit: { mode },
    };
  },
};

/**
 * Revokes a key for good. The limiter knows it before this is answered, and so does every gateway. Its look-up stays: where
 * it points never changes, so that gateways may keep it.
 */
export const revokeKey: CommandHandler<OrganizationsFold, 'revoke-key'> = {
  reads: ({ actor, input }) => [memberRow(actor.id), { kind: 'api-key', id: input.keyId }, ACTIVE_KEYS_ROW],
  fold(scope) {
    const { row, input, context } = scope;
    const { keyId } = input;
    const acting = actingOwnerOrAdmin(scope, 'revoke an API key');
    if ('refused' in acting) return refused(acting.refused);
    const key = row('api-key', keyId);
    if (key === null)
      return refusedFor('not_found', {
        at: 'path.keyId',
        seen: 'the id of no key',
        expected: 'the id of a key of this organization',
      });
    if (key.revokedAt !== null) {
      return { outcome: { kind: 'done', result: { keyId, ...key } }, audit: false };
    }
    const document = { ...key, revokedAt: context.now };
    const { mode } = key;
    return {
      outcome: { kind: 'done', result: { keyId, ...document } },
      put: [
        { kind: 'api-key', id: keyId, document },
        {
          ...ACTIVE_KEYS_ROW,
          document: { keys: activeKeys(scope).filter((active) => active.keyId !== keyId) },
        },
      ],
      effects: [{ kind: 'limiter-status', key: { account: context.aggregate, keyId }, status: 'revoked' }],
      audit: { mode },
    };
  },
};

/** The keys that are not revoked. */
export function activeKeys({ row }: Pick<Scope<OrganizationsFold>, 'row'>): ActiveKeysDocument['keys'] {
  return row(ACTIVE_KEYS_ROW.kind, ACTIVE_KEYS_ROW.id)?.keys ?? [];
}
