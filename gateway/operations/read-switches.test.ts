import { beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { SWITCHES_ON, SWITCHES_ROW } from '../../schemas/organizations/switches.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { Store } from '../../topics/ports/store.ts';
import { SwitchMemory } from './read-switches.ts';

const OFF = { ...SWITCHES_ON, feedback: false };

let now: number;
let document: JsonObject;
let isAway: boolean;
let readings: number;
let events: string[];
let memory: SwitchMemory;

beforeEach(() => {
  [now, document, isAway, readings, events] = [1_000, OFF, false, 0, []];
  const read: Store['read'] = async () => {
    readings += 1;
    if (isAway) throw new EngineUnavailableError('store');
    const root = { version: 1, applied: { generation: 1, offset: 1 }, batchId: 'b' };
    // A newer release has written the organization in a form that this one does not know.
    return {
      root: { ...root, document: { ...EMPTY_ROOT, state: { state: 'merged' } } },
      rows: [{ ...SWITCHES_ROW, document }],
    } as Awaited<ReturnType<Store['read']>>;
  };
  memory = new SwitchMemory({
    store: { read } as Store,
    secrets: { secret: 's', previous: null, identity: 'i' },
    clock: { now: () => now },
    logger: { warn: (_, event) => void events.push(event) },
  });
});

describe('SwitchMemory', () => {
  it('reads the store once a second, whatever the number of requests', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => memory.read()));
    expect([new Set(all), readings]).toEqual([new Set([OFF]), 1]);
    now += 999;
    document = SWITCHES_ON;
    expect([await memory.read(), readings]).toEqual([OFF, 1]);
    now += 1;
    expect([await memory.read(), readings]).toEqual([SWITCHES_ON, 2]);
    now -= 60_000;
    await memory.read();
    expect(readings).toBe(3);
  });

  it('has what was set at once, also if a reading is under way', async () => {
    const before = memory.read();
    document = SWITCHES_ON;
    memory.forget();
    await before;
    expect(await memory.read()).toEqual(SWITCHES_ON);
  });

  it('is on, and logs why, if this release cannot read what is stored', async () => {
    document = { ...OFF, feedback: 'paused' };
    expect([await memory.read(), events]).toEqual([SWITCHES_ON, ['SwitchesUnreadable']]);
  });

  it('does not keep a reading that failed', async () => {
    isAway = true;
    await expect(memory.read()).rejects.toBeInstanceOf(EngineUnavailableError);
    isAway = false;
    expect(await memory.read()).toEqual(OFF);
  });
});
