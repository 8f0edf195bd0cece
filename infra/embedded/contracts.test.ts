import { describeBlobsContract } from '../contracts/blobs.contract.ts';
import { describeCountersContract } from '../contracts/counters.contract.ts';
import { describeLimiterContract } from '../contracts/limiter.contract.ts';
import { describeLogContract } from '../contracts/log.contract.ts';
import { describeLogHaltsContract } from '../contracts/log-halts.contract.ts';
import { describeLookupsContract } from '../contracts/lookups.contract.ts';
import { describeMarksContract } from '../contracts/marks.contract.ts';
import { describeRepliesContract } from '../contracts/replies.contract.ts';
import { describeStoreContract } from '../contracts/store.contract.ts';
import { EmbeddedEngineUnderTest } from './under-test.ts';

const open = () => EmbeddedEngineUnderTest.open();

describeLogContract('embedded', open);
describeLogHaltsContract('embedded', open);
describeStoreContract('embedded', open);
describeBlobsContract('embedded', open);
describeLookupsContract('embedded', open);
describeMarksContract('embedded', open);
describeCountersContract('embedded', open);
describeRepliesContract('embedded', open);
describeLimiterContract('embedded', open);
