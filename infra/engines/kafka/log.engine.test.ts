import { describeLogContract } from '../../testing/contracts/log.contract.ts';
import { describeLogHaltsContract } from '../../testing/contracts/log-halts.contract.ts';
import { KafkaLogFixture } from './kafka-log.fixture.ts';

describeLogContract('Kafka', () => KafkaLogFixture.open());
describeLogHaltsContract('Kafka', () => KafkaLogFixture.open());
