import { describeLogContract } from '../../testing/contracts/log.contract.ts';
import { describeLogHaltsContract } from '../../testing/contracts/log-halts.contract.ts';
import { KafkaLogUnderTest } from './under-test.ts';

describeLogContract('Kafka', () => KafkaLogUnderTest.open());
describeLogHaltsContract('Kafka', () => KafkaLogUnderTest.open());
