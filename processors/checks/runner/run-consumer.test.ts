import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../schemas/base/command.ts';
import { type RunDocument, runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { nothingFound } from '../../../schemas/checks/results.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { ProofReading } from '../../../topics/ports/proofs.ts';
import type { CheckRunner, RunSignals } from './check-runner.ts';
import { nameDriver, thisProcess } from './driver-names.ts';
import { runConsumers } from './run-consumer.ts';

const NOW = 1_800_000_000_000;
const ids = (prefix: string) => `${prefix}_${'a'.repeat(24)}`;
const INSTALLATION = ids('ins');
const RUN = ids('run');

const QUEUED: RunDocument = {
  suiteId: ids('sui'),
  originId: ids('ori'),
  status: 'queued',
  verified: false,
  requestedAt: NOW,
  startedAt: null,
  endedAt: null,
  deadlineAt: NOW + 600_000,
  driver: null,
  findings: null,
  screenshot: null,
};

const SUITE = {
  originId: QUEUED.originId,
  accessProfileId: null,
  configuration: {
    name: 'Home',
    flows: [{ name: 'Home', steps: [{ action: 'goto', url: 'https://site.example/' }], timeoutMs: 1_000 }],
  },
  createdAt: NOW,
};

const ORIGIN = {
  origin: 'https://site.example',
  token: 'b'.repeat(24),
  createdAt: NOW,
  verifiedAt: NOW,
  endsAt: NOW + 600_000,
};

interface World {
  /** Folds a `begin-run` at once. */
  isFolding: boolean;
  hasRoom: boolean;
  proof: ProofReading;
  /** True: no run gets its turn. */
  isBusy: boolean;
}

/** A consumer whose engines and browser are the test's. */
function worldOf() {
  const world: World = { isFolding: true, hasRoom: true, proof: { kind: 'matches' }, isBusy: false };
  const rows = new Map<string, unknown>([
    ['run', QUEUED],
    ['suite', SUITE],
    ['origin', ORIGIN],
  ]);
  let driven = 0;
  let read = 0;
  let begun = '';
  const beginKeys: string[] = [];
  const begunBy = (driver: string) =>
    rows.set('run', { ...QUEUED, status: 'running', driver, startedAt: NOW });
  const engines = {
    store: {
      read: async (_ref: unknown, [key]: { kind: string }[]) => ({
        rows: [{ document: rows.get(key?.kind ?? '') }],
      }),
    },
    log: {
      append: async ([record]: { value: string }[]) => {
        const { type, input, key } = JSON.parse(record?.value ?? '');
        if (type !== 'begin-run') return;
        beginKeys.push(key);
        begun = input.driver;
        if (world.isFolding) begunBy(begun);
      },
    },
    blobs: {
      create: () => ({
        write: async () => {
          if (!world.hasRoom) throw new Error('no room on the disk');
        },
        close: async () => {},
        abort: async () => {},
      }),
    },
    clock: { now: () => NOW },
    entropy: { bytes: (length: number) => randomBytes(length) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const runner = {
    run: async (_party: unknown, begin: () => Promise<unknown>, { leaving }: RunSignals) => {
      if (world.isBusy && !leaving.aborted) await once(leaving, 'abort');
      if (leaving.aborted) throw new EngineUnavailableError('browser runner');
      if ((await begin()) === null) return null;
      driven += 1;
      return {
        findings: { ...nothingFound({ reason: 'assertion', message: 'No.' }), failure: null },
        screenshot: Buffer.from('picture'),
        isClean: true,
      };
    },
  };
  const [work] = runConsumers(engines as unknown as Parameters<typeof runConsumers>[0], {
    runner: runner as unknown as CheckRunner,
    proofs: {
      read: async () => {
        read += 1;
        return world.proof;
      },
    },
    limits: DEFAULT_LIMITS.checks,
    clientName: 'SvcCheck/1',
    stopping: new AbortController().signal,
    beginMs: 50,
  });
  const item = {
    type: 'drive-run',
    key: RUN,
    requestId: 'req_a',
    input: { installationId: INSTALLATION, runId: RUN },
  } as unknown as Command;
  if (work === undefined) throw new Error('no consumer');
  const deliver = (leaving = new AbortController().signal) => work.handle(item, leaving);
  const stored = () => runDocumentSchema.parse(rows.get('run'));
  const due = (ms: number) => rows.set('run', { ...QUEUED, deadlineAt: NOW + ms });
  const proofsRead = () => read;
  return {
    world,
    due,
    proofsRead,
    beginKeys,
    begunBy,
    late: () => begunBy(begun),
    deliver,
    stored,
    driven: () => driven,
  };
}

const passed = { type: 'finish-run', input: { findings: { failure: null } } };

describe('an item of a run that is delivered again', () => {
  it('reports the same result after a report that was not appended, without another drive', async () => {
    const { deliver, driven } = worldOf();
    const first = await deliver();
    expect(first).toMatchObject(passed);
    expect(await deliver()).toBe(first);
    expect(driven()).toBe(1);
  });

  it('continues under its name where the beginning was folded late', async () => {
    const { world, deliver, driven, late, beginKeys } = worldOf();
    world.isFolding = false;
    await expect(deliver()).rejects.toThrow('processor of browser checks');
    await expect(deliver()).rejects.toThrow('processor of browser checks');
    expect(driven()).toBe(0);
    // The fold answers the second one from the outcome of the first.
    expect(beginKeys).toEqual([beginKeys[0], beginKeys[0]]);
    late();
    expect(await deliver()).toMatchObject(passed);
    expect(driven()).toBe(1);
  });

  it('is left to the driver that has it, and ends with a driver that has ended', async () => {
    const { deliver, driven, begunBy } = worldOf();
    begunBy('a'.repeat(24));
    expect([await deliver(), driven()]).toEqual([null, 0]);
    begunBy(nameDriver({ ...thisProcess(), pid: 2 ** 22 }, Buffer.alloc(5)));
    expect(await deliver()).toMatchObject({ type: 'abandon-run' });
    expect(driven()).toBe(0);
  });

  it('keeps its result where the picture cannot be stored', async () => {
    const { world, deliver } = worldOf();
    world.hasRoom = false;
    expect(await deliver()).toMatchObject({ ...passed, input: { ...passed.input, screenshot: null } });
  });
});

describe('a run that waits for its turn', () => {
  it('ends at its deadline, without a look at the proof', async () => {
    const { world, due, deliver, driven, proofsRead } = worldOf();
    world.isBusy = true;
    due(20);
    expect(await deliver()).toMatchObject({ type: 'end-run' });
    expect([driven(), proofsRead()]).toEqual([0, 0]);
  });

  it('is left to another runner when the partition is given back', async () => {
    const { world, deliver } = worldOf();
    world.isBusy = true;
    const leaving = new AbortController();
    const delivered = deliver(leaving.signal);
    leaving.abort();
    await expect(delivered).rejects.toThrow(EngineUnavailableError);
  });
});

describe('the proof of an origin', () => {
  it('is read once there is a browser, and before the run begins', async () => {
    const { world, deliver, driven, stored } = worldOf();
    world.proof = { kind: 'failed', reason: 'timeout' };
    expect(await deliver()).toMatchObject({ input: { findings: { failure: { reason: 'connect' } } } });
    expect([driven(), stored().status]).toEqual([0, 'queued']);
  });
});
