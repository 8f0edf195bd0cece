import { describeLogContract } from '../contracts/log.contract.ts';
import { describeLogHaltsContract } from '../contracts/log-halts.contract.ts';
import { KafkaLogUnderTest } from './under-test.ts';

describeLogContract('Kafka', () => KafkaLogUnderTest.open());
describeLogHaltsContract('Kafka', () => KafkaLogUnderTest.open());
