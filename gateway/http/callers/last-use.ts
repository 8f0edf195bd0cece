// Reads: the caller. Writes: a command an hour for each credential and person. No request waits for it.
import { LRUCache } from 'lru-cache';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../../schemas/base/ids.ts';
import { type CredentialedKind, PRINCIPALS, type UseRecord } from '../../principals.ts';
import type { GatewayServices, Sending } from '../../services.ts';
import type { Authenticator, Authenticators } from './bearer.ts';

/** Callers in memory. Beyond them, the one that was recorded longest ago is evicted, and recorded once more. */
const REMEMBERED_MAX = 10_000;

/** Commands under way at the same time. Further uses are recorded with the caller's next request. */
const UNDER_WAY_MAX = 16;

/**
 * Records when credentials and people were last seen: each gateway records a caller at most once in `lastUseMs`. A record
 * neither delays a request nor makes it fail (infra/docs/reference/workspaces.md#claiming). If it is lost, the next use
 * records the caller again.
 */
export class LastUse {
  readonly #recordedAt = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  #underWay = 0;

  /** Records a use by a caller who was just let in. Returns at once. */
  note(caller: string, use: UseRecord, services: GatewayServices): void {
    const now = services.clock.now();
    const before = this.#recordedAt.peek(caller);
    if (before !== undefined && now < before + services.limits.workspace.lastUseMs) return;
    if (this.#underWay >= UNDER_WAY_MAX) return;
    this.#recordedAt.set(caller, now);
    this.#underWay += 1;
    void this.#record(caller, use, services);
  }

  async #record(caller: string, use: UseRecord, { submit, entropy }: GatewayServices): Promise<void> {
    // The command has one of several types, which the type of `submit` keeps apart. Their results are not used.
    const send = submit as (command: UseRecord & Sending) => Promise<unknown>;
    try {
      await send({
        ...use,
        operation: use.type,
        idempotencyKey: null,
        digestInput: use.input,
        requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
        actor: { kind: 'system', id: 'gateway' },
      });
    } catch {
      // The caller's next request records the use again; no request depends on it.
      this.#recordedAt.delete(caller);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Returns authenticators that also record the use, for the kinds whose principal has `useOf`. */
export function recordingLastUse(authenticators: Authenticators, lastUse: LastUse): Authenticators {
  const recording = (Object.keys(authenticators) as CredentialedKind[]).map((kind) => [
    kind,
    withLastUse(kind, authenticators[kind], lastUse),
  ]);
  return Object.fromEntries(recording);
}

function withLastUse<Kind extends CredentialedKind>(
  kind: Kind,
  authenticate: Authenticator<Kind>,
  lastUse: LastUse,
): Authenticator<Kind> {
  const { useOf } = PRINCIPALS[kind];
  if (useOf === undefined) return authenticate;
  return async (request, services) => {
    const caller = await authenticate(request, services);
    if (caller !== null && caller.id !== null) lastUse.note(caller.id, useOf(caller), services);
    return caller;
  };
}
