import { describe } from 'vitest';
import { describeBlobsContract } from '../contracts/blobs.contract.ts';
import { describeLookupsContract } from '../contracts/lookups.contract.ts';
import { describeStoreContract } from '../contracts/store.contract.ts';
import { CassandraEngineUnderTest, HAS_CASSANDRA } from './under-test.ts';

const open = () => CassandraEngineUnderTest.open();

describe.skipIf(!HAS_CASSANDRA)('Cassandra', () => {
  describeStoreContract('Cassandra', open);
  describeLookupsContract('Cassandra', open);
  describeBlobsContract('Cassandra', open);
});
