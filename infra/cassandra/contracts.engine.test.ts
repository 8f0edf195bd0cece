import { describeBlobsContract } from '../contracts/blobs.contract.ts';
import { describeLookupsContract } from '../contracts/lookups.contract.ts';
import { describeMarksContract } from '../contracts/marks.contract.ts';
import { describeStoreContract } from '../contracts/store.contract.ts';
import { CassandraEngineUnderTest } from './under-test.ts';

const open = () => CassandraEngineUnderTest.open();

describeStoreContract('Cassandra', open);
describeLookupsContract('Cassandra', open);
describeBlobsContract('Cassandra', open);
describeMarksContract('Cassandra', open);
