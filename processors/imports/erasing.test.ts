import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { attemptGroup, importGroup } from '../../schemas/imports/blobs.ts';
import {
  capabilityIdOf,
  ImportsWorld,
  importIdOf,
  installationId,
  ORIGIN,
  OWNER,
  schemaId,
} from './imports-world.fixture.ts';

const importId = importIdOf('orders');
const capabilityId = capabilityIdOf('backend');

/** An import that is ready, a capability, and a workspace that was erased with both. */
function erasedWorld(): ImportsWorld {
  const world = new ImportsWorld();
  world.ready('orders');
  const made = world.send(
    'create-capability',
    {
      ...{ capabilityId, schemaId, name: 'Backend', origin: ORIGIN, expiresInDays: 1 },
      ...{ delegateApproval: false, digest: sha256Hex('capability'), last4: 'abcd' },
    },
    OWNER,
  );
  expect(made).toBe('done');
  const session = { schemaId, capabilityId, digest: sha256Hex('session') };
  expect(world.send('mint-session', session, { kind: 'capability', id: capabilityId })).toBe('done');
  world.folds.elsewhere.length = 0;
  world.lifecycle({ state: 'erased', expiresAt: null, products: [] });
  return world;
}

const eraseRows = (world: ImportsWorld, rows: readonly { kind: string; id: string }[]) =>
  world.send('erase-rows', { rows: rows.map((row) => ({ ...row })) });

const rowsAskedFor = (world: ImportsWorld) =>
  world.folds.elsewhere.filter(({ topic }) => topic === 'erasures').map(({ envelope }) => envelope.input);

describe('the erasure of the workspace', () => {
  it('leaves a mark without counts, refuses everything, and has the rows looked for', () => {
    const world = erasedWorld();
    expect(world.root()).toMatchObject({
      lifecycle: { state: 'erased' },
      ...{ schemasMade: 0, importsMade: 0, validationSlot: null },
    });
    expect(rowsAskedFor(world)).toEqual([{ topic: 'imports', aggregate: installationId }]);
    expect([world.reserve('another'), world.validate('orders'), world.acknowledge('orders', 0)]).toEqual([
      'erased',
      'erased',
      'erased',
    ]);
  });

  it('removes the answers of refused requests, too', () => {
    const world = erasedWorld();
    const known = rowsAskedFor(world).length;
    expect(world.reserve('another')).toBe('erased');
    const after = { kind: 'recent', id: '' };
    expect(rowsAskedFor(world).slice(known)).toEqual([
      { topic: 'imports', aggregate: installationId, after },
    ]);
  });

  it('removes rows with the bytes and the look-ups that hang on them, and looks for more', () => {
    const world = erasedWorld();
    const rows = [
      { kind: 'import', id: importId },
      { kind: 'capability', id: capabilityId },
      { kind: 'schema-sessions', id: schemaId },
      { kind: 'outcome', id: 'reserve-import:reserve orders' },
      { kind: 'import', id: importIdOf('never there') },
    ];
    expect(eraseRows(world, rows)).toBe('done');
    for (const { kind, id } of rows) expect(world.row(kind, id)).toBeNull();
    expect(world.folds.removedGroups).toEqual([
      importGroup(installationId, importId),
      attemptGroup(installationId, importId, 1),
    ]);
    const digests = [
      `capability:${sha256Hex('capability')}`,
      `import-session:${sha256Hex('session')}`,
      `upload-token:${sha256Hex(`${importId} token 1`)}`,
    ];
    expect(digests.map((name) => world.folds.digestIndex.get(name)?.target)).toEqual([null, null, null]);
    expect(rowsAskedFor(world)).toHaveLength(2);
  });

  it('drops reports that arrive later', () => {
    const world = erasedWorld();
    eraseRows(world, [{ kind: 'import', id: importId }]);
    const before = world.documents();
    expect([world.split('orders', 1, 2), world.partition('orders', 1, 0)]).toEqual(['done', 'done']);
    expect(world.documents()).toBe(before);
  });

  it('is the only time that rows are removed like this', () => {
    const world = new ImportsWorld();
    world.ready('orders');
    expect(() => eraseRows(world, [{ kind: 'import', id: importId }])).toThrow('were not erased');
    expect(world.document('orders').status).toBe('ready');
  });
});
