import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { readSettings, SettingsError } from './settings.ts';
import { StartError } from './start-error.ts';
import { folderFailure, listenFailure, serverFailure, startFailureLine } from './start-failures.ts';

const CLUSTER = {
  SVC_ENGINE: 'cluster',
  SVC_SECRET: 's'.repeat(32),
  SVC_IDENTITY_SECRET: 'i'.repeat(32),
  KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092',
  CASSANDRA_CONTACT_POINTS: 'cassandra-1',
  REDIS_URL: 'redis://user:private@redis:6379',
};

function systemError(code: string, path?: string): Error {
  return Object.assign(new Error(code), { code, ...(path !== undefined && { path }) });
}

describe('the line of a start that failed', () => {
  const { cluster } = readSettings(CLUSTER);

  it.each([
    [
      'kafka',
      /^KAFKA_BROKERS \(kafka-1:9092, kafka-2:9092\): reaching the log: ECONNREFUSED; start the brokers/,
    ],
    ['cassandra', /^CASSANDRA_CONTACT_POINTS \(cassandra-1\): .*npm run ops -- migrate/],
    ['redis', /^REDIS_URL: .*; start the server or correct REDIS_\*$/],
  ] as const)('names how %s is reached, and no password', (server, line) => {
    if (cluster === null) throw new Error('reading the settings of a cluster');
    const cause = new EngineUnavailableError('log', { cause: systemError('ECONNREFUSED') });
    const { message } = serverFailure(cause, server, cluster);
    expect(message).toMatch(line);
    expect(message).not.toMatch(/private|\n/);
  });

  it.each([
    ['EACCES', /^PORT: this user may not listen on 80/],
    ['ENOTFOUND', /^HOST: nowhere has no address/],
  ])('names the variable that %s is about', (code, line) => {
    const failure = listenFailure(systemError(code), { host: 'nowhere', port: 80 });
    expect(startFailureLine(failure)).toMatch(line);
  });

  it.each([
    ['EACCES', 'give the user of this process the right'],
    ['EROFS', 'read-only'],
    ['ENOSPC', 'the disk is full'],
  ])('names the file that %s is about, and the cure', (code, cure) => {
    const line = startFailureLine(folderFailure(systemError(code, '/data/blobs'), '/data'));
    expect(line).toMatch(new RegExp(`^/data/blobs: ${code}; .*${cure}`));
  });

  it('blames no program for a server that has stopped answering', () => {
    const cause = new Error('Command timed out\n    at Redis');
    expect(startFailureLine(new EngineUnavailableError('reply channel', { cause }))).toMatch(
      /^reaching the reply channel: Command timed out; the server has answered before: /,
    );
  });

  it('leaves alone what says its cure already, and says of anything else where it comes from', () => {
    const known = new SettingsError('PORT: seen "abc"');
    expect(folderFailure(known, '/data')).toBe(known);
    expect(startFailureLine(known)).toBe('PORT: seen "abc"');
    expect(known).toBeInstanceOf(StartError);
    const line = startFailureLine(new TypeError('undefined is not a function\nat all'));
    expect(line).toMatch(/^starting failed, .*: undefined is not a function at .*start-failures\.test\.ts/);
  });
});
