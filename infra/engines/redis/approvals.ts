import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ApprovalHandlers, Approvals, ApprovedScope } from '../../../topics/ports/approvals.ts';
import type { ReplyListener } from '../../../topics/ports/replies.ts';
import { askWithTimeout, connectWithoutTimeout, type RedisSettings } from './connection.ts';
import { subscribe } from './subscription.ts';

const WHAT = 'channel of approvals';

const scopeSchema = z.object({ installationId: z.string(), schemaId: z.string() });

/** Announcements over Redis pub/sub, on one channel for all gateways: not stored, and lost without a listener. */
export class RedisApprovals implements Approvals {
  readonly #settings: RedisSettings;
  readonly #publisher: Redis;
  readonly #channel: string;

  private constructor(settings: RedisSettings, publisher: Redis) {
    this.#settings = settings;
    this.#publisher = publisher;
    this.#channel = `${settings.prefix}approvals`;
  }

  static async open(settings: RedisSettings): Promise<RedisApprovals> {
    return new RedisApprovals(settings, await connectWithoutTimeout(settings));
  }

  async announce(scope: ApprovedScope): Promise<void> {
    await askWithTimeout(this.#publisher, WHAT, () =>
      this.#publisher.publish(this.#channel, JSON.stringify(scope)),
    );
  }

  async listen({ onApproved, onReconnect }: ApprovalHandlers): Promise<ReplyListener> {
    return await subscribe(this.#settings, this.#channel, WHAT, {
      onMessage: (text) => {
        const scope = scopeIn(text);
        if (scope !== null) onApproved(scope);
      },
      onReconnect: () => onReconnect(),
    });
  }

  async close(): Promise<void> {
    this.#publisher.disconnect();
  }
}

/** Other messages do not come from this service. */
function scopeIn(text: string): ApprovedScope | null {
  try {
    return scopeSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
