import { describe, expect, it } from 'vitest';
import { conditionsIn, evictionFault, replicaFault } from './conditions.ts';

const info = (members: Record<string, string | number>) =>
  conditionsIn(
    `# Memory\r\n${Object.entries(members)
      .map(([name, value]) => `${name}:${value}\r\n`)
      .join('')}`,
  );

describe('the conditions of a Redis server', () => {
  it('are met by a server that forgets nothing and has no replicas', () => {
    const conditions = info({ maxmemory: 1_000, maxmemory_policy: 'noeviction', connected_slaves: 0 });
    expect([evictionFault(conditions), replicaFault(conditions)]).toEqual([null, null]);
  });

  it('are met by any policy without a bound of memory, and by a server that does not say', () => {
    expect(evictionFault(info({ maxmemory: 0, maxmemory_policy: 'allkeys-lru' }))).toBeNull();
    expect(evictionFault(info({}))).toBeNull();
  });

  it.each(['allkeys-lru', 'volatile-ttl'])('are not met by the policy %s', (policy) => {
    const fault = evictionFault(info({ maxmemory: 1_000, maxmemory_policy: policy }));
    expect(fault).toContain(`maxmemory-policy ${policy}`);
    expect(fault).toContain('set maxmemory-policy noeviction');
  });

  it('ask for writes that a replica gets, where there are replicas', () => {
    expect(replicaFault(info({ connected_slaves: 2 }))).toContain('min-replicas-to-write 1');
    expect(replicaFault(info({ connected_slaves: 2, min_slaves_good_slaves: 2 }))).toBeNull();
  });
});
