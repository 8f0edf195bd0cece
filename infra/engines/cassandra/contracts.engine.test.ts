import { describeBlobsContract } from '../../testing/contracts/blobs.contract.ts';
import { describeDamageContract } from '../../testing/contracts/damage.contract.ts';
import { describeDigestIndexContract } from '../../testing/contracts/digest-index.contract.ts';
import { describeMarksContract } from '../../testing/contracts/marks.contract.ts';
import { describeStoreContract } from '../../testing/contracts/store.contract.ts';
import { CassandraEngineFixture } from './cassandra-engine.fixture.ts';

const open = () => CassandraEngineFixture.open();

describeStoreContract('Cassandra', open);
describeDamageContract('Cassandra', open);
describeDigestIndexContract('Cassandra', open);
describeBlobsContract('Cassandra', open);
describeMarksContract('Cassandra', open);
