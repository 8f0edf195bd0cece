import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestIdFrom } from '../../../schemas/base/ids.ts';
import type { Reply } from '../../../schemas/base/outcome.ts';
import type { Replies } from '../../../topics/ports/replies.ts';
import { type EngineFixture, SUITE, unique, WAIT } from './engine.fixture.ts';

export interface RepliesFixture extends EngineFixture {
  readonly replies: Replies;
}

/** Describes the tests that every reply channel passes. */
export function describeRepliesContract(name: string, open: () => Promise<RepliesFixture>): void {
  describe(`${name}: replies`, SUITE, () => {
    let engine: RepliesFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    async function listen(address: string) {
      const received: Reply[] = [];
      const listener = await engine.replies.listen(address, {
        onReply: (reply) => received.push(reply),
        onReconnect: () => {},
      });
      return { received, listener };
    }

    it('delivers what is published after listen has resolved', async () => {
      const address = unique('gateway');
      const { received, listener } = await listen(address);
      expect(listener.connected()).toBe(true);
      await engine.replies.publish(address, reply(1));
      await vi.waitFor(() => expect(received).toEqual([reply(1)]), WAIT);
      await listener.close();
    });

    it('keeps addresses apart', async () => {
      const [left, right] = [unique('gateway'), unique('gateway')];
      const atLeft = await listen(left);
      const atRight = await listen(right);
      await engine.replies.publish(left, reply(1));
      await engine.replies.publish(right, reply(2));
      await vi.waitFor(() => {
        expect(atLeft.received).toEqual([reply(1)]);
        expect(atRight.received).toEqual([reply(2)]);
      }, WAIT);
      await atLeft.listener.close();
      await atRight.listener.close();
    });

    it('does not call the listener on the stack of the publisher', async () => {
      const address = unique('gateway');
      const { received, listener } = await listen(address);
      const published = engine.replies.publish(address, reply(1));
      expect(received).toEqual([]);
      await published;
      await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
      await listener.close();
    });

    it('carries every kind of outcome unchanged', async () => {
      const address = unique('gateway');
      const { received, listener } = await listen(address);
      const replies: Reply[] = [
        { ...reply(1), outcome: { kind: 'done', result: { nested: { list: [1, 'ü', null, true] } } } },
        {
          ...reply(2),
          outcome: { kind: 'refused', refusal: { code: 'limit_reached', message: 'used up' } },
        },
        {
          ...reply(3),
          outcome: {
            kind: 'deferred',
            at: { table: 'imports', aggregate: 'a', operation: 'o', key: 'k' },
          },
        },
      ];
      for (const each of replies) await engine.replies.publish(address, each);
      await vi.waitFor(() => expect(received).toHaveLength(replies.length), WAIT);
      expect(received).toEqual(expect.arrayContaining(replies));
      await listener.close();
    });

    it('accepts a reply for which no request waits', async () => {
      await expect(engine.replies.publish(unique('absent'), reply(1))).resolves.toBeUndefined();
    });

    it('delivers nothing to a closed listener, and still delivers to another listener of the same address', async () => {
      const address = unique('gateway');
      const first = await listen(address);
      const second = await listen(address);
      await first.listener.close();
      expect(first.listener.connected()).toBe(false);
      await engine.replies.publish(address, reply(1));
      await vi.waitFor(() => expect(second.received).toEqual([reply(1)]), WAIT);
      expect(first.received).toEqual([]);
      await second.listener.close();
      await second.listener.close();
    });
  });
}

function reply(number: number): Reply {
  const requestId = requestIdFrom(new Uint8Array(18).fill(number));
  return { requestId, outcome: { kind: 'done', result: { number } } };
}
