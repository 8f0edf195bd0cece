import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import type { Command } from '../../schemas/base/command.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { artifactBlob, errorsBlob, sourceBlob } from '../../schemas/imports/blobs.ts';
import { decodeRowErrors } from '../../schemas/imports/row-errors.ts';
import { writeBlob } from '../../topics/ports/blob-bytes.ts';
import type { BlobAddress, Blobs } from '../../topics/ports/blobs.ts';
import type { Row, RowKey, Store } from '../../topics/ports/store.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import { ImportsWorld, installationId, OWNER, START } from './imports-world.fixture.ts';
import { splitConsumer } from './splitting/split-consumer.ts';
import { importId, NAME } from './statuses.fixture.ts';
import type { ImportJobs } from './threads/import-jobs.ts';
import { inlineJobs } from './threads/inline-jobs.fixture.ts';
import { validateConsumer } from './validation/validate-consumer.ts';

/** One partition: three rows, the last one without a code. */
const SOURCE = Buffer.from('code\na\nb\n""\n');
const going = new AbortController().signal;
const RANGE = { index: 0, start: 5, end: 12, firstRow: 1, firstLine: 2, rows: 3, blank: 0 };

let engine: EmbeddedEngineFixture;
let world: ImportsWorld;
let version: number;
let present: readonly RowKey[];

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
  // What the world stores ends by the world's time.
  engine.clock.advance(START - engine.clock.now());
  version = 0;
  present = [];
  world = new ImportsWorld();
  world.send(
    'reserve-import',
    world.reservation(NAME, { byteLength: SOURCE.length, sha256: sha256Hex(SOURCE) }),
  );
  world.upload(NAME, 'source/one');
  world.map(NAME);
  world.validate(NAME);
  const expiresAt = engine.clock.now() + START;
  await writeBlob(engine.blobs, sourceBlob(installationId, importId, 'source/one'), [SOURCE], { expiresAt });
  await store();
});

afterEach(async () => {
  await engine.close();
});

/** Stores what the world holds, as its processor would have done. */
async function store(): Promise<void> {
  const { root, rows } = JSON.parse(world.documents());
  const stored = {
    version: version + 1,
    batchId: `batch ${version}`,
    applied: { generation: 1, offset: version },
    document: { ...EMPTY_ROOT, state: root },
  };
  const put: Row[] = rows.map((row: string) => JSON.parse(row));
  const remove = present.filter(({ kind, id }) => !put.some((row) => row.kind === kind && row.id === id));
  const aggregate = { table: 'imports', id: installationId } as const;
  expect(await engine.store.commit(aggregate, version, { root: stored, put, remove })).toBe('applied');
  version += 1;
  present = put.map(({ kind, id }) => ({ kind, id }));
}

/** The world after a split into one partition. */
async function splitInOne(): Promise<void> {
  world.send('split-finished', {
    importId,
    attempt: 1,
    headerColumns: 1,
    blank: 0,
    partitions: [RANGE],
    artifactBytesBound: 100,
  });
  await store();
}

function item(input: JsonObject): Command {
  return { input: { installationId, importId, attempt: 1, source: 'source/one', ...input } } as Command;
}

function split(workers: ImportJobs = inlineJobs()) {
  const expectations = { byteLength: SOURCE.length, sha256: sha256Hex(SOURCE), rowsMax: 1_000 };
  return splitConsumer('import-splits', engine, workers).handle(item(expectations), going);
}

function validate(workers: ImportJobs = inlineJobs()) {
  return validateConsumer('import-partitions', engine, workers).handle(item({ range: RANGE }), going);
}

/** Workers during whose work something else happens. */
function meanwhile(happens: () => Promise<void>): ImportJobs {
  const workers = inlineJobs();
  return {
    ...workers,
    validate: async (input, party) => {
      const result = await workers.validate(input, party);
      await happens();
      return result;
    },
  };
}

/** The methods of blobs as bound functions. */
function bound(blobs: Blobs): Blobs {
  return {
    create: blobs.create.bind(blobs),
    size: blobs.size.bind(blobs),
    read: blobs.read.bind(blobs),
    remove: blobs.remove.bind(blobs),
    removeGroup: blobs.removeGroup.bind(blobs),
  };
}

const ARTIFACT = artifactBlob(installationId, importId, 1, 0);
const ERRORS = errorsBlob(installationId, importId, 1, 0);

async function textOf(address: BlobAddress): Promise<string | null> {
  return (await bytesOf(address))?.toString() ?? null;
}

async function bytesOf(address: BlobAddress): Promise<Buffer | null> {
  const pieces = await engine.blobs.read(address);
  if (pieces === null) return null;
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/** Runs work that is shown what is stored now, after the import was cancelled and its file removed. */
async function behind<Result>(
  work: (stale: Pick<ProcessorDependencies, 'store' | 'blobs'>) => Promise<Result>,
): Promise<Result> {
  const aggregate = { table: 'imports', id: installationId } as const;
  const { rows: known } = await engine.store.load(aggregate, [{ kind: 'import', id: importId }]);
  const plan = (await engine.store.list(aggregate, 'schema-revision', { limit: 1 })).concat(
    await engine.store.list(aggregate, 'mapping', { limit: 1 }),
  );
  world.cancel(NAME, OWNER);
  await store();
  await engine.blobs.remove(sourceBlob(installationId, importId, 'source/one'));
  const snapshot = (wanted: readonly RowKey[]) => ({
    root: null,
    rows: [...known, ...plan].filter((row) =>
      wanted.some(({ kind, id }) => row.kind === kind && row.id === id),
    ),
  });
  const { load, commit, list } = engine.store;
  const stale: Store = {
    load: load.bind(engine.store),
    commit: commit.bind(engine.store),
    list: list.bind(engine.store),
    read: async (_, wanted) => snapshot(wanted),
  };
  return await work({ store: stale, blobs: engine.blobs });
}

describe('splitting', () => {
  it('drops the item of an attempt that has ended where only a serial read shows it', async () => {
    const expectations = { byteLength: SOURCE.length, sha256: sha256Hex(SOURCE), rowsMax: 1_000 };
    const report = behind((stale) =>
      splitConsumer('import-splits', stale, inlineJobs()).handle(item(expectations), going),
    );
    expect(await report).toBeNull();
  });

  it('reports where to cut', async () => {
    expect(await split()).toMatchObject({
      topic: 'imports',
      key: installationId,
      type: 'split-finished',
      input: { importId, attempt: 1, headerColumns: 1, partitions: [RANGE] },
    });
  });

  it('fails when the bytes are gone, and reports that in the end', async () => {
    await engine.blobs.remove(sourceBlob(installationId, importId, 'source/one'));
    await expect(split()).rejects.toThrow('reading a blob');
    expect(splitConsumer('import-splits', engine, inlineJobs()).failed(item({}))).toMatchObject({
      type: 'work-failed',
      input: { importId, attempt: 1 },
    });
  });

  it('drops the item of an attempt that has ended', async () => {
    world.cancel(NAME, OWNER);
    await store();
    expect(await split()).toBeNull();
  });
});

describe('validating a partition', () => {
  beforeEach(splitInOne);

  it('keeps values and errors apart from its report, which has counts and digests only', async () => {
    const report = await validate();
    expect(report).toMatchObject({
      type: 'partition-validated',
      input: {
        index: 0,
        outcome: {
          valid: 2,
          invalid: 1,
          errorCounts: [{ column: 'code', code: 'required', count: 1 }],
          batchId: null,
        },
      },
    });
    expect(await textOf(ARTIFACT)).toBe('[["a"],["b"],null]');
    expect(decodeRowErrors((await bytesOf(ERRORS))!)).toMatchObject({
      errors: [{ row: 3, line: 4, code: 'required' }],
      omitted: [],
    });
    expect(await validate()).toEqual(report);
  });

  it('removes what it wrote when the import was cancelled meanwhile', async () => {
    const report = await validate(
      meanwhile(async () => {
        world.cancel(NAME, OWNER);
        await store();
      }),
    );
    expect(report).toBeNull();
    expect([await textOf(ARTIFACT), await textOf(ERRORS)]).toEqual([null, null]);
  });

  it.each(['cancelled', 'erased'])(
    'removes what a worker wrote that was killed before it saw that the import was %s',
    async (end) => {
      const killedWhenAsked = meanwhile(async () => {
        killed = true;
      });
      let killed = false;
      const read: Store['read'] = async (...wanted) => {
        if (killed) throw new Error('killed');
        return await engine.store.read(...wanted);
      };
      const dying = { store: { read } as Store, blobs: engine.blobs };
      const work = validateConsumer('import-partitions', dying, killedWhenAsked);
      await expect(work.handle(item({ range: RANGE }), going)).rejects.toThrow('killed');
      if (end === 'cancelled') world.cancel(NAME, OWNER);
      else world.erase(NAME);
      await store();
      expect([await textOf(ARTIFACT), await textOf(ERRORS)]).not.toContain(null);
      expect(await validate()).toBeNull();
      expect([await textOf(ARTIFACT), await textOf(ERRORS)]).toEqual([null, null]);
    },
  );

  it.each([
    ['drops what cannot be written because the import was cancelled meanwhile', true],
    ['fails when it cannot write although the attempt runs', false],
  ])('%s', async (_what, cancelled) => {
    const workers = meanwhile(async () => {
      if (!cancelled) return;
      world.cancel(NAME, OWNER);
      await store();
    });
    const create: Blobs['create'] = (address, options) => ({
      ...engine.blobs.create(address, options),
      write: async () => {
        throw new Error('the group was removed');
      },
      abort: async () => {},
    });
    const blobs = { ...bound(engine.blobs), create };
    const handled = validateConsumer('import-partitions', { store: engine.store, blobs }, workers).handle(
      item({ range: RANGE }),
      going,
    );
    if (cancelled) expect(await handled).toBeNull();
    else await expect(handled).rejects.toThrow('the group was removed');
  });

  it('leaves what it wrote when its item comes again after the result', async () => {
    await validate();
    const outcome = { valid: 2, invalid: 1, errorCounts: [], batchId: null, ackDigest: null };
    world.partition(NAME, 1, 0, outcome);
    await store();
    expect(await validate()).toBeNull();
    expect(await textOf(ARTIFACT)).toBe('[["a"],["b"],null]');
  });

  it('leaves what it wrote when another worker has finished the same item meanwhile', async () => {
    await validate(
      meanwhile(async () => {
        const outcome = { valid: 2, invalid: 1, errorCounts: [], batchId: null, ackDigest: null };
        world.partition(NAME, 1, 0, outcome);
        await store();
      }),
    );
    expect(world.document(NAME).status).toBe('needs_correction');
    expect(await textOf(ARTIFACT)).toBe('[["a"],["b"],null]');
  });

  it('drops the item of an attempt that has ended where only a serial read shows it', async () => {
    const report = behind((stale) =>
      validateConsumer('import-partitions', stale, inlineJobs()).handle(item({ range: RANGE }), going),
    );
    expect(await report).toBeNull();
    expect(await textOf(ARTIFACT)).toBeNull();
  });

  it('writes nothing for an attempt that has ended before', async () => {
    world.send('work-failed', { importId, attempt: 1 });
    await store();
    expect(await validate()).toBeNull();
    expect(await textOf(ARTIFACT)).toBeNull();
  });
});
