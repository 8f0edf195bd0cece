import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Approvals, ApprovedScope } from '../../../topics/ports/approvals.ts';
import { type EngineFixture, SUITE, unique, WAIT } from './engine.fixture.ts';

export interface ApprovalsFixture extends EngineFixture {
  readonly approvals: Approvals;
}

/** Describes the tests that every channel of approvals passes. */
export function describeApprovalsContract(name: string, open: () => Promise<ApprovalsFixture>): void {
  describe(`${name}: approvals`, SUITE, () => {
    let engine: ApprovalsFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const scope = (): ApprovedScope => ({
      installationId: unique('installation'),
      schemaId: unique('schema'),
    });

    async function listen() {
      const received: ApprovedScope[] = [];
      const listener = await engine.approvals.listen({
        onApproved: (approved) => received.push(approved),
        onReconnect: () => {},
      });
      return { received, listener };
    }

    it('reach every listener that listens', async () => {
      const [first, second] = [await listen(), await listen()];
      const one = scope();
      await engine.approvals.announce(one);
      for (const { received } of [first, second])
        await vi.waitFor(() => expect(received).toContainEqual(one), WAIT);
      await first.listener.close();
      expect(first.listener.connected()).toBe(false);
      const other = scope();
      await engine.approvals.announce(other);
      await vi.waitFor(() => expect(second.received).toContainEqual(other), WAIT);
      expect(first.received).not.toContainEqual(other);
      await second.listener.close();
    });

    it('may be announced without a listener', async () => {
      await expect(engine.approvals.announce(scope())).resolves.toBeUndefined();
    });
  });
}
