import { describe, expect, it } from 'vitest';
import { engineAddresses } from './engine-addresses.fixture.ts';

const ALL = {
  SVC_TEST_KAFKA: '127.0.0.1:19092',
  SVC_TEST_CASSANDRA: '127.0.0.1:19042',
  SVC_TEST_REDIS: 'redis://127.0.0.1:16379',
};

describe('engineAddresses', () => {
  it('finds running engines', () => {
    expect(engineAddresses(ALL)).toEqual({
      kafka: '127.0.0.1:19092',
      cassandra: '127.0.0.1:19042',
      redis: 'redis://127.0.0.1:16379',
    });
  });

  it('is null on a machine without engines', () => {
    expect(engineAddresses({ SVC_TEST_KAFKA: '' })).toBeNull();
  });

  it('takes half a cluster for a mistake', () => {
    expect(() => engineAddresses({ ...ALL, SVC_TEST_REDIS: '' })).toThrow(/: SVC_TEST_REDIS not set/);
  });
});
