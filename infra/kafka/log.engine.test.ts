import { describeLogContract } from '../contracts/log.contract.ts';
import { KafkaLogUnderTest } from './under-test.ts';

describeLogContract('Kafka', () => KafkaLogUnderTest.open());
