import type { ApprovalHandlers, Approvals, ApprovedScope } from '../../../topics/ports/approvals.ts';
import type { ReplyListener } from '../../../topics/ports/replies.ts';

/** The announcements within one process. They arrive on a later turn of the event loop, and never fail. */
export class EmbeddedApprovals implements Approvals {
  readonly #listeners = new Set<ApprovalHandlers>();

  async announce(scope: ApprovedScope): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const { onApproved } of this.#listeners) onApproved(scope);
  }

  async listen({ onApproved, onReconnect }: ApprovalHandlers): Promise<ReplyListener> {
    const listener = { onApproved, onReconnect };
    this.#listeners.add(listener);
    return {
      connected: () => this.#listeners.has(listener),
      close: async () => {
        this.#listeners.delete(listener);
      },
    };
  }
}
