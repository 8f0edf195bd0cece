import type { ReplyListener } from './replies.ts';

/** The imports of one schema in one installation. */
export interface ApprovedScope {
  readonly installationId: string;
  readonly schemaId: string;
}

export interface ApprovalHandlers {
  onApproved(scope: ApprovedScope): void;
  /** Called after the channel was down and is up again: what was approved in the time between is not announced. */
  onReconnect(): void;
}

/**
 * The announcements of gateways to each other: that an import was approved. A hint, not a record: an announcement can be lost or
 * doubled, and who waits for one reads the list when its time is over.
 */
export interface Approvals {
  /** Best effort; rejects with `EngineUnavailableError` when the channel is down. */
  announce(scope: ApprovedScope): Promise<void>;
  /** Resolves once announcements really arrive. */
  listen(handlers: ApprovalHandlers): Promise<ReplyListener>;
}
