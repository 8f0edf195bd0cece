import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import { deadLetterRecord } from '../../../processors/runtime/effects/follow-up.ts';
import { auditLogId } from '../../../schemas/audit/documents.ts';
import { deadLetterListSchema } from '../../../schemas/operations/http.ts';
import { restartWith } from '../../testing/e2e/operations/stopped-log.fixture.ts';
import { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { isOnCluster } from '../service-process/service-process.ts';
import { withMachine } from './engine.ts';
import { freeEngine, ops } from './ops.fixture.ts';

const NOW = Date.now();
const REQUEST_ID = `req_${'a'.repeat(24)}`;
const UNREADABLE = { topic: 'workspaces', key: 'a', value: 'no envelope' } as const;

/** A command that a processor of an earlier version could not handle, and this one can. */
const seen = {
  ...{
    topic: 'people' as const,
    generation: 1,
    partition: 0,
    offset: 40,
    appendedAt: NOW,
    key: 'b'.repeat(64),
  },
  value: JSON.stringify({
    ...{ envelope: 1, type: 'seen', operation: 'seen', key: REQUEST_ID, keyFrom: 'request' },
    ...{ inputDigest: 'a'.repeat(64), requestId: REQUEST_ID, replyTo: null, notAfter: null, issuedAt: NOW },
    ...{ actor: { kind: 'system', id: 'gateway' }, input: {} },
  }),
} as const;

let service: ServiceInProcess;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  await restartWith(service, [
    UNREADABLE,
    deadLetterRecord(seen, { group: 'fold-people', reason: 'folding a seen' }, REQUEST_ID, NOW),
  ]);
});
afterAll(() => service?.dispose());

const run = (...words: string[]) => ops(service.environment, 'dead-letters', ...words);
const list = async (...words: string[]) => deadLetterListSchema.parse((await run('list', ...words)).data);

async function idOf(topic: string): Promise<string> {
  const letter = (await list()).deadLetters.find((each) => each.topic === topic);
  if (letter === undefined) throw new Error(`looking for a dead letter of ${topic}`);
  return letter.deadLetterId;
}

describe('npm run ops -- dead-letters', () => {
  it('lists and shows them while the service runs, and leaves the rest to a stopped one', async () => {
    await expect.poll(async () => (await list()).open).toBe(2);
    const id = await idOf('workspaces');
    expect((await run('list')).lines).toContain(`${id}  open  no command  reading JSON`);
    expect((await run('show', id)).lines).toContain('value: no envelope');
    if (!isOnCluster()) await expect(run('discard', id)).rejects.toThrow('is in use by another process');
  });

  it('names what exists for an unknown id', async () => {
    const none = '000000000000000-usage-1-0-1';
    const known = await idOf('people');
    await expect(run('show', none)).rejects.toThrow(known);
    await expect(run('show', 'usage')).rejects.toThrow('id: seen "usage"; expected the id of a dead letter');
  });

  it('replays and discards as the operator, once; refuses what could only fail again', async () => {
    const [unreadable, readable] = [await idOf('workspaces'), await idOf('people')];
    await freeEngine(service);
    await expect(run('replay', unreadable)).rejects.toThrow('cannot be read (reading JSON)');
    expect((await list()).open).toBe(2);
    expect((await run('replay', readable)).data).toMatchObject({ state: 'replayed' });
    expect((await run('discard', unreadable)).lines).toEqual([`${unreadable} is discarded.`]);
    await expect(run('replay', unreadable)).rejects.toThrow('one that was discarded');
    expect((await list('--closed')).deadLetters).toHaveLength(2);
    await withMachine(service, async ({ engine, secrets }) => {
      const log = { table: 'audit', id: auditLogId(firstOrganizationId(secrets), NOW) } as const;
      const entries = async () =>
        (await engine.store.list(log, 'entry', { limit: 9 })).map(({ document }) => document);
      await expect
        .poll(entries)
        .toMatchObject([
          { action: 'dead-letters.replay', actor: { kind: 'operator', id: 'machine' } },
          { action: 'dead-letters.discard' },
        ]);
    });
  });
});
