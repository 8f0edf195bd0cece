import type { Reply } from '../../schemas/base/outcome.ts';

export interface ReplyListener {
  /** True while replies arrive. */
  connected(): boolean;
  close(): Promise<void>;
}

export interface ReplyHandlers {
  onReply(reply: Reply): void;
  /** Called after the channel was down and is up again: replies of the time between are lost. */
  onReconnect(): void;
}

/**
 * The way back from a processor to the gateway that waits. A hint, not a record: a reply can be lost or doubled, and
 * the waiter looks at the store when in doubt (infra/docs/decisions/0026-replies-are-hints.md).
 */
export interface Replies {
  /** Best effort; rejects with `EngineUnavailableError` when the channel is down. */
  publish(address: string, reply: Reply): Promise<void>;
  /** Resolves once replies to this address really arrive. */
  listen(address: string, handlers: ReplyHandlers): Promise<ReplyListener>;
}
