import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClusterSettings } from './settings.ts';

describe('readClusterSettings', () => {
  it('keeps data and downloads where git does not look, and makes no choice', () => {
    const root = resolve(import.meta.dirname, '../../..');
    expect(readClusterSettings({ SVC_CLUSTER_KAFKA_PORT: '' })).toEqual({
      ports: { kafka: 19092, cassandra: 19042, redis: 16379 },
      folder: resolve(root, '.data/cluster'),
      cache: resolve(root, '.cache/cluster'),
      way: null,
    });
  });

  it('takes other ports, folders and another way', () => {
    const variables = {
      SVC_CLUSTER_KAFKA_PORT: '29092',
      SVC_CLUSTER_CASSANDRA_PORT: '29042',
      SVC_CLUSTER_REDIS_PORT: '26379',
      SVC_CLUSTER_FOLDER: 'somewhere',
      SVC_CLUSTER_CACHE: '/elsewhere',
      SVC_CLUSTER_RUNS: 'processes',
    };
    expect(readClusterSettings(variables)).toEqual({
      ports: { kafka: 29092, cassandra: 29042, redis: 26379 },
      folder: resolve('somewhere'),
      cache: '/elsewhere',
      way: 'processes',
    });
  });

  it('names what is wrong', () => {
    const variables = { SVC_CLUSTER_KAFKA_PORT: '65535', SVC_CLUSTER_RUNS: 'clouds' };
    expect(() => readClusterSettings(variables)).toThrow(/SVC_CLUSTER_KAFKA_PORT: .*; SVC_CLUSTER_RUNS: /);
  });
});
