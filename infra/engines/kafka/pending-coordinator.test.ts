import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { reportClient } from './client.ts';
import { COORDINATOR_PENDING, isCoordinatorPending } from './pending-coordinator.ts';

const require = createRequire(import.meta.url);
const { errorCodes } = require('kafkajs/src/protocol/error') as {
  readonly errorCodes: readonly { readonly type: string; readonly message: string }[];
};

const PENDING = ['GROUP_LOAD_IN_PROGRESS', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP'];

/** The lines that the client's message leads to. */
function linesOf(message: string, error?: string): object[] {
  const lines: object[] = [];
  const logger = {
    warn: (fields: object) => void lines.push(fields),
    error: () => expect.fail('as an error'),
  };
  const log = { timestamp: '', logger: 'kafkajs', message, ...(error !== undefined && { error }) };
  reportClient(logger, { namespace: 'Connection', level: kafkajs.logLevel.ERROR, label: 'ERROR', log });
  return lines;
}

describe('isCoordinatorPending', () => {
  it('knows the answers of brokers in the words of the client', () => {
    const known = errorCodes.filter(({ message }) => isCoordinatorPending(message));
    expect(known.map(({ type }) => type)).toEqual(PENDING);
  });
});

describe('the log of the client', () => {
  it.each(COORDINATOR_PENDING)('leaves out: %s', (answer) => {
    expect(linesOf('Response JoinGroup(key: 11, version: 5)', answer)).toEqual([]);
    expect(linesOf(`Crash: KafkaJSNumberOfRetriesExceeded: ${answer}`)).toEqual([]);
  });

  it('warns of all else, with the answer of the broker', () => {
    expect(
      linesOf('Response JoinGroup(key: 11, version: 5)', 'Not authorized to access group'),
    ).toMatchObject([
      { said: 'Response JoinGroup(key: 11, version: 5)', answer: 'Not authorized to access group' },
    ]);
    expect(linesOf('Connection timeout')).toMatchObject([{ said: 'Connection timeout' }]);
  });
});
