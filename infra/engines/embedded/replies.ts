import type { Reply } from '../../../schemas/base/outcome.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Replies, ReplyHandlers, ReplyListener } from '../../../topics/ports/replies.ts';

/** Replies under way at once. */
const REPLIES_UNDER_WAY_MAX = 10_000;

/**
 * The reply channel within one process. Replies are delivered on a later turn of the event loop and not on the
 * publisher's stack, as by any other channel; `publish` resolves when they are. The channel never fails, so
 * `onReconnect` is never called.
 */
export class EmbeddedReplies implements Replies {
  readonly #listeners = new Map<string, Set<ReplyHandlers>>();
  #underWay = 0;

  publish(address: string, reply: Reply): Promise<void> {
    if (this.#underWay >= REPLIES_UNDER_WAY_MAX) {
      return Promise.reject(new EngineUnavailableError('reply channel'));
    }
    this.#underWay += 1;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#underWay -= 1;
        for (const handlers of this.#listeners.get(address) ?? []) handlers.onReply(reply);
        resolve();
      });
    });
  }

  async listen(address: string, handlers: ReplyHandlers): Promise<ReplyListener> {
    const listeners = this.#listeners.get(address) ?? new Set();
    this.#listeners.set(address, listeners);
    // Each listener is a separate object, so that the same handlers can listen twice and close once.
    const listener: ReplyHandlers = {
      onReply: (reply) => handlers.onReply(reply),
      onReconnect: () => handlers.onReconnect(),
    };
    listeners.add(listener);
    return {
      connected: () => listeners.has(listener),
      close: async () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(address) === listeners)
          this.#listeners.delete(address);
      },
    };
  }
}
