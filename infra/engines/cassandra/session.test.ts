import { Client, type QueryOptions, types } from 'cassandra-driver';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from './driver.ts';
import { CassandraSession } from './session.ts';

const OPTIONS = { contactPoints: ['127.0.0.1:1'], localDatacenter: 'dc1', keyspace: 'tests' };
const STATEMENT = { query: 'SELECT', params: [1] };
const { localQuorum, localSerial } = types.consistencies;

let session: CassandraSession;
let given: (QueryOptions | undefined)[];

// One node answers alike at every level, so these tests look at what the driver is given.
beforeEach(async () => {
  given = [];
  vi.spyOn(Client.prototype, 'connect').mockResolvedValue();
  const answer = async (_query: unknown, second: unknown, third?: unknown) => {
    given.push((third ?? second) as QueryOptions);
    return { rows: [], wasApplied: () => true };
  };
  vi.spyOn(Client.prototype, 'execute').mockImplementation(
    answer as unknown as typeof Client.prototype.execute,
  );
  vi.spyOn(Client.prototype, 'batch').mockImplementation(answer as unknown as typeof Client.prototype.batch);
  const client = createClient(OPTIONS);
  vi.spyOn(Object.getPrototypeOf(client.metadata), 'refreshKeyspace').mockResolvedValue(undefined);
  session = await CassandraSession.open(OPTIONS);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('a client sends what names no level at LOCAL_QUORUM, and conditions at LOCAL_SERIAL', () => {
  const { queryOptions } = (createClient(OPTIONS) as unknown as { options: { queryOptions: QueryOptions } })
    .options;
  expect(queryOptions).toMatchObject({ consistency: localQuorum, serialConsistency: localSerial });
});

it.each([
  ['LOCAL_QUORUM', localQuorum],
  ['LOCAL_SERIAL', localSerial],
] as const)('a read at %s is sent at this level', async (level, consistency) => {
  await session.read('store', STATEMENT, level);
  expect(given).toMatchObject([{ consistency, isIdempotent: true }]);
});

it('a write names no other level, and may be repeated', async () => {
  await session.write('store', [STATEMENT]);
  expect(given).toMatchObject([{ isIdempotent: true, logged: false }]);
  expect(Object.keys(given[0] ?? {})).not.toContain('consistency');
});

it('a conditional write names no other level, and is never repeated', async () => {
  await session.writeIf('store', [STATEMENT]);
  expect(given).toEqual([{ logged: false }]);
});
