import { describeApprovalsContract } from '../../testing/contracts/approvals.contract.ts';
import { describeBlobsContract } from '../../testing/contracts/blobs.contract.ts';
import { describeCountersContract } from '../../testing/contracts/counters.contract.ts';
import { describeDamageContract } from '../../testing/contracts/damage.contract.ts';
import { describeDigestIndexContract } from '../../testing/contracts/digest-index.contract.ts';
import { describeLimiterContract } from '../../testing/contracts/limiter.contract.ts';
import { describeLogContract } from '../../testing/contracts/log.contract.ts';
import {
  describeLogHaltsContract,
  type HaltingLogFixture,
} from '../../testing/contracts/log-halts.contract.ts';
import { describeMarksContract } from '../../testing/contracts/marks.contract.ts';
import { describeProcessReportsContract } from '../../testing/contracts/process-reports.contract.ts';
import { describeRepliesContract } from '../../testing/contracts/replies.contract.ts';
import { describeStoreContract } from '../../testing/contracts/store.contract.ts';
import type { ConsumedPartition, Halt } from '../shared/delivery.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

const open = () => EmbeddedEngineFixture.open();

describeLogContract('embedded', open);
describeLogHaltsContract('embedded', openWithHalts);
describeStoreContract('embedded', open);
describeDamageContract('embedded', open);
describeBlobsContract('embedded', open);
describeDigestIndexContract('embedded', open);
describeMarksContract('embedded', open);
describeCountersContract('embedded', open);
describeRepliesContract('embedded', open);
describeApprovalsContract('embedded', open);
describeProcessReportsContract('embedded', open);
describeLimiterContract('embedded', open);

async function openWithHalts(): Promise<HaltingLogFixture> {
  const halts: Halt[] = [];
  const resumed: ConsumedPartition[] = [];
  const engine = await EmbeddedEngineFixture.open({
    halts: { onHalt: (halt) => halts.push(halt), onResume: (partition) => resumed.push(partition) },
  });
  return { log: engine.log, halts, resumed, close: () => engine.close() };
}
