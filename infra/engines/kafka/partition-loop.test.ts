import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { PartitionAssignment, PartitionHandler } from '../../../topics/ports/log.ts';
import { doneWith } from '../../testing/contracts/log-probe.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { PartitionLoop } from './partition-loop.ts';

const handler: PartitionHandler = {
  handle: async (records) => doneWith(records),
  idle: async () => 'done',
  close: async () => undefined,
};

/** A loop that was told that its partition ends at 10. */
async function assigned(
  askEnd: () => Promise<number>,
  test: (assignment: PartitionAssignment) => Promise<void>,
) {
  const opened = Promise.withResolvers<PartitionAssignment>();
  const loop = new PartitionLoop({
    memory: new RecordMemory(),
    subscription: {
      group: 'group',
      topic: 'imports',
      batchRecordsMax: 10,
      open: (assignment) => {
        opened.resolve(assignment);
        return handler;
      },
    },
    generation: 1,
    partition: 0,
    start: 0,
    end: 10,
    askEnd,
    behind: handler,
    isClosed: false,
    onClosing: () => undefined,
    isOwned: () => true,
    pause: () => undefined,
    resume: () => undefined,
    fetchFrom: () => undefined,
    onProgress: () => undefined,
    onHalt: (error) => expect.fail(String(error)),
    onResume: () => expect.fail('resuming'),
  });
  await test(await opened.promise);
  await loop.stop();
}

describe('PartitionLoop', () => {
  it('asks the brokers before it denies that a record was appended', async () => {
    let asked = 0;
    const askEnd = async () => {
      asked += 1;
      return 20;
    };
    await assigned(askEnd, async (assignment) => {
      expect(await assignment.hasAppended(9)).toBe(true);
      expect(asked).toBe(0);
      expect(await assignment.hasAppended(19)).toBe(true);
      expect(await assignment.hasAppended(15)).toBe(true);
      expect(asked).toBe(1);
      expect(await assignment.hasAppended(20)).toBe(false);
    });
  });

  it('denies nothing while the brokers do not answer', async () => {
    const askEnd = () => Promise.reject(new EngineUnavailableError('log'));
    await assigned(askEnd, async (assignment) => {
      expect(await assignment.hasAppended(9)).toBe(true);
      await expect(assignment.hasAppended(10)).rejects.toThrow(EngineUnavailableError);
    });
  });
});
