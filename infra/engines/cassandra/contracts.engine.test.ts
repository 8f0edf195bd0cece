import { describeBlobsContract } from '../../testing/contracts/blobs.contract.ts';
import { describeLookupsContract } from '../../testing/contracts/lookups.contract.ts';
import { describeMarksContract } from '../../testing/contracts/marks.contract.ts';
import { describeStoreContract } from '../../testing/contracts/store.contract.ts';
import { CassandraEngineFixture } from './cassandra-engine.fixture.ts';

const open = () => CassandraEngineFixture.open();

describeStoreContract('Cassandra', open);
describeLookupsContract('Cassandra', open);
describeBlobsContract('Cassandra', open);
describeMarksContract('Cassandra', open);
