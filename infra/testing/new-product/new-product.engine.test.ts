import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { useNewProduct } from './journey.fixture.ts';

describe('a product of three files and a place in the list of products', () => {
  beforeEach(() => {
    vi.stubEnv('SVC_TEST_ENGINE', 'cluster');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('has its topic in Kafka and its table in Cassandra', useNewProduct);
});
