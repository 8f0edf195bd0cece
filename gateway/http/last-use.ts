// Reads: the caller. Writes: a command an hour for each credential and person. No request waits for it.
import { LRUCache } from 'lru-cache';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import { type CredentialedKind, PRINCIPALS, type UseNote } from '../principals.ts';
import type { Authenticator, Authenticators } from './bearer.ts';
import type { GatewayServices, Sending } from './services.ts';

/** Callers that are remembered; beyond them the one that was told longest ago is forgotten, and told once more. */
const REMEMBERED_MAX = 10_000;

/** Commands under way at the same time. Further uses are recorded with the caller's next request. */
const UNDER_WAY_MAX = 16;

/**
 * Records when credentials and people were last seen: each at most once in `lastUseMs` and gateway. It neither delays
 * a request nor makes it fail (infra/docs/reference/workspaces.md#claiming). All of it may be lost: the next use is
 * recorded again.
 */
export class LastUse {
  readonly #toldAt = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  #underWay = 0;

  /** Records a use by a caller who was just let in. Returns at once. */
  note(caller: string, told: UseNote, services: GatewayServices): void {
    const now = services.clock.now();
    const before = this.#toldAt.peek(caller);
    if (before !== undefined && now < before + services.limits.workspace.lastUseMs) return;
    if (this.#underWay >= UNDER_WAY_MAX) return;
    this.#toldAt.set(caller, now);
    this.#underWay += 1;
    void this.#tell(caller, told, services);
  }

  async #tell(caller: string, told: UseNote, { submit, entropy }: GatewayServices): Promise<void> {
    // One of several types of commands, and its result says nothing: what the type of `submit` tells apart.
    const send = submit as (command: UseNote & Sending) => Promise<unknown>;
    try {
      await send({
        ...told,
        operation: told.type,
        idempotencyKey: null,
        digestInput: told.input,
        requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
        actor: { kind: 'system', id: 'gateway' },
      });
    } catch {
      // The caller's next request records the use again; no request depends on it.
      this.#toldAt.delete(caller);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** The same authenticators, which tell of a use where the table of principals says how. */
export function tellingLastUse(authenticators: Authenticators, lastUse: LastUse): Authenticators {
  const telling = (Object.keys(authenticators) as CredentialedKind[]).map((kind) => [
    kind,
    noting(kind, authenticators[kind], lastUse),
  ]);
  return Object.fromEntries(telling);
}

function noting<Kind extends CredentialedKind>(
  kind: Kind,
  authenticate: Authenticator<Kind>,
  lastUse: LastUse,
): Authenticator<Kind> {
  const { noteUse } = PRINCIPALS[kind];
  if (noteUse === undefined) return authenticate;
  return async (request, services) => {
    const caller = await authenticate(request, services);
    if (caller !== null && caller.id !== null) lastUse.note(caller.id, noteUse(caller), services);
    return caller;
  };
}
