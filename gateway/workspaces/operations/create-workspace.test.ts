import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { servicesReading } from '../../http/records/stored.fixture.ts';
import { createWorkspaceRoute } from './create-workspace.ts';

/** Creates a workspace from an address, and returns the command's input. */
async function createdFrom(address: string): Promise<JsonObject> {
  const services = {
    ...servicesReading({}),
    secrets: { secret: 'secret', previous: null, identity: 'identity' },
    entropy: { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) },
    counters: { take: async () => ({ allowed: true }), giveBack: async () => {} },
    limits: DEFAULT_LIMITS,
  };
  let sent: JsonObject = {};
  const submit = async ({ input }: { input: JsonObject & { credential: JsonObject } }) => {
    sent = input;
    return { createdAt: 0, expiresAt: 1, ...input.credential };
  };
  const context = {
    body: { name: 'Orders', cohort: 'external' },
    idempotencyKey: null,
    addressKey: () => address,
    services,
    submit,
  };
  await createWorkspaceRoute.handle?.(context as never);
  return sent;
}

describe('POST /v1/agent/workspaces', () => {
  it('names its creator by a digest that is the same for the same address alone', async () => {
    const [first, second, other] = await Promise.all(['one', 'one', 'other'].map(createdFrom));
    expect(first?.['creator']).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(second?.['creator']).toBe(first?.['creator']);
    expect(other?.['creator']).not.toBe(first?.['creator']);
  });
});
