import { expect, it } from 'vitest';
import { clusterEnvironment } from './cluster-environment.ts';

it.each([
  ['the usual ports', {}, '127.0.0.1:19092'],
  ['the port of the launcher', { SVC_CLUSTER_KAFKA_PORT: '18092' }, '127.0.0.1:18092'],
  ["a service's variables", { SVC_CLUSTER_KAFKA_PORT: '18092', KAFKA_BROKERS: 'one:9092' }, 'one:9092'],
  ["the tests' variables", { KAFKA_BROKERS: 'one:9092', SVC_TEST_KAFKA: 'two:9092' }, 'two:9092'],
])('processes on a cluster use %s', (_, variables, broker) => {
  expect(clusterEnvironment(variables)).toMatchObject({ KAFKA_BROKERS: broker });
});
