import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accounts, newRequestId } from '../../../infra/testing/accounts.fixture.ts';
import { SweptAccounts, WAIT } from '../../../infra/testing/swept-accounts.fixture.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { outcomeRowId } from '../../../schemas/base/outcome.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { followUp } from '../effects/follow-up.ts';
import { forgetOutcome } from './forgetting.ts';
import { OUTCOME_KEPT_MS, outcomeSweep } from './outcome-sweep.ts';
import { sweepSubscription } from './sweeper.ts';

const ACCOUNT = { table: 'workspaces', id: 'a' } as const;

const passing = {
  topic: 'workspaces',
  commands: accounts.commands,
  types: ['glance', 'add', 'receive'],
  lifeMs: 0,
  isTransient: (entity: string) => entity === 'counter/link',
} as const;

let swept: SweptAccounts;

beforeEach(async () => {
  swept = await SweptAccounts.open({
    sweep: (engines) => sweepSubscription(outcomeSweep(passing, engines), engines),
  });
});

afterEach(() => swept.close());

const passTime = (ms: number) => swept.passTime(ms);

function send(type: string, input: JsonObject, over: Partial<Envelope> = {}): Promise<void> {
  return swept.send(ACCOUNT.id, type, input, over);
}

async function remembered(): Promise<string[]> {
  const rows = await swept.engine.store.list(ACCOUNT, 'outcome', { limit: 100 });
  return rows.map(({ id }) => id);
}

const OVER_MS = OUTCOME_KEPT_MS + MINUTE_MS;
const GLANCE = outcomeRowId('glance', 'key');

describe('the sweep of outcomes', () => {
  it('forgets what nothing erases once its time is over, and not before', async () => {
    await send('glance', {});
    await passTime(OVER_MS - 1);
    expect(await remembered()).toEqual([GLANCE]);
    await passTime(1);
    await expect.poll(remembered, WAIT).toEqual([]);
  });

  it('leaves what an entity, a follow-up or another type of command is remembered with', async () => {
    await send('add', { name: 'lasting', amount: 1 });
    await send('receive', { amount: 1 }, { keyFrom: 'command' });
    await send('work', { name: 'other' });
    const before = await remembered();
    expect(before).toHaveLength(3);
    // The last record that the sweep meets is one that goes.
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual(before);
  });

  it('takes the list of an entity along that ends by itself', async () => {
    await send('add', { name: 'link', amount: 1 });
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    expect(await swept.engine.store.list(ACCOUNT, 'entity-keys', { limit: 1 })).toEqual([]);
  });

  it('sends nothing for what is not there', async () => {
    await send('add', { name: 'full', amount: 2_000 });
    await send('glance', {}, { keyFrom: 'request' });
    const offset = async () => (await swept.engine.store.read(ACCOUNT, [])).root?.applied.offset;
    const before = await offset();
    await passTime(OVER_MS);
    // It has met both records when it forgets what came behind them.
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    expect(await offset()).toBe(Number(before) + 2);
  });

  it('does not forget a key that was used again meanwhile', async () => {
    const first = swept.engine.clock.now();
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    await send('glance', {});
    const late = forgetOutcome('workspaces', ACCOUNT.id, { operation: 'glance', key: 'key', at: first });
    const parent = {
      requestId: newRequestId(),
      replyTo: null,
      actor: { kind: 'system', id: 'test' },
    } as const;
    await swept.append(ACCOUNT.id, followUp(late, parent, { key: 'late', at: swept.engine.clock.now() }));
    expect(await remembered()).toEqual([GLANCE]);
  });
});
