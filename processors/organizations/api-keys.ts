import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import { ACTIVE_KEYS_ROW, type ActiveKeysDocument } from '../../schemas/organizations/api-keys.ts';
import { timelineId } from '../../schemas/organizations/documents.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { actingOwnerOrAdmin } from './members.ts';
import type { OrganizationInput, OrganizationResult, OrganizationView, UserCommand } from './result.ts';

/** Makes an API key, which is known by its digest only. Its status reaches the limiter with its first call. */
export function createKey(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'create-key'> },
  context: FoldContext,
  limits: Limits,
): OrganizationResult {
  const { keyId, ...wanted } = command.input;
  const acting = actingOwnerOrAdmin(view, command, 'create an API key');
  if ('refused' in acting) return refused(acting.refused);
  const active = activeKeys(view);
  const keysMax = limits.limiter.keysPerMode;
  if (active.filter(({ mode }) => mode === wanted.mode).length >= keysMax) {
    return refused(
      refusal('limit_reached', {
        at: 'organization.keys',
        seen: `${keysMax} active ${wanted.mode} keys`,
        expected: 'fewer; revoking one frees its place',
      }),
    );
  }
  const { mode, digest } = wanted;
  const document = { ...wanted, createdAt: context.now, createdBy: command.actor.id, revokedAt: null };
  return {
    outcome: { kind: 'done', result: { keyId, ...document } },
    put: [
      { kind: 'api-key', id: keyId, document },
      { kind: 'api-key-order', id: timelineId(context.now, keyId), document: { keyId } },
      { ...ACTIVE_KEYS_ROW, document: { keys: [...active, { keyId, mode }] } },
    ],
    effects: [
      {
        kind: 'lookup',
        lookup: {
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
}

/**
 * Revokes a key for good. The limiter knows it before this is answered, and so does every gateway. Its look-up stays: where
 * it points never changes, so that gateways may keep it.
 */
export function revokeKey(
  view: OrganizationView,
  command: UserCommand & { readonly input: OrganizationInput<'revoke-key'> },
  context: FoldContext,
): OrganizationResult {
  const { keyId } = command.input;
  const acting = actingOwnerOrAdmin(view, command, 'revoke an API key');
  if ('refused' in acting) return refused(acting.refused);
  const key = view.row('api-key', keyId);
  if (key === null)
    return refused(
      refusal('not_found', {
        at: 'path.keyId',
        seen: 'the id of no key',
        expected: 'the id of a key of this organization',
      }),
    );
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
        document: { keys: activeKeys(view).filter((active) => active.keyId !== keyId) },
      },
    ],
    effects: [{ kind: 'limiter-status', key: { account: context.aggregate, keyId }, status: 'revoked' }],
    audit: { mode },
  };
}

/** The keys that are not revoked. */
export function activeKeys(view: OrganizationView): ActiveKeysDocument['keys'] {
  return view.row(ACTIVE_KEYS_ROW.kind, ACTIVE_KEYS_ROW.id)?.keys ?? [];
}
