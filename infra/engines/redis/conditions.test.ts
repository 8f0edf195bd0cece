import { describe, expect, it } from 'vitest';
import { conditionsIn, evictionFault, replicaFault } from './conditions.ts';

const info = (members: Record<string, string | number>) =>
  conditionsIn(
    `# Memory\r\n${Object.entries(members)
      .map(([name, value]) => `${name}:${value}\r\n`)
      .join('')}`,
  );

describe('the conditions for a Redis server', () => {
  it('accept a server without eviction and without replicas', () => {
    const conditions = info({ maxmemory: 1_000, maxmemory_policy: 'noeviction', connected_slaves: 0 });
    expect([evictionFault(conditions), replicaFault(conditions)]).toEqual([null, null]);
  });

  it('accept any policy without a memory limit, and a server that does not report its policy', () => {
    expect(evictionFault(info({ maxmemory: 0, maxmemory_policy: 'allkeys-lru' }))).toBeNull();
    expect(evictionFault(info({}))).toBeNull();
  });

  it.each(['allkeys-lru', 'volatile-ttl'])('reject the policy %s', (policy) => {
    const fault = evictionFault(info({ maxmemory: 1_000, maxmemory_policy: policy }));
    expect(fault).toContain(`maxmemory-policy ${policy}`);
    expect(fault).toContain('set maxmemory-policy noeviction');
  });

  it('report a server with replicas that does not require one for writes', () => {
    expect(replicaFault(info({ connected_slaves: 2 }))).toContain('min-replicas-to-write 1');
    expect(replicaFault(info({ connected_slaves: 2, min_slaves_good_slaves: 2 }))).toBeNull();
  });
});
