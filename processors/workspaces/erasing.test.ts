import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import {
  credentialIdOf,
  installationId,
  organizationOf,
  STATES,
  WorkspaceWorld,
} from './workspace-world.fixture.ts';

function erasedWorld(): WorkspaceWorld {
  const world = new WorkspaceWorld();
  STATES.claimed(world);
  world.createCredential('backend');
  world.rotate('backend', 2, HOUR_MS);
  world.folds.elsewhere.length = 0;
  expect(world.erase()).toBe('done');
  return world;
}

const eraseRows = (world: WorkspaceWorld, ids: readonly string[]) =>
  world.folds.send({
    topic: 'workspaces',
    aggregate: installationId,
    type: 'erase-rows',
    input: { rows: ids.map((id) => ({ kind: 'credential', id })) },
  });

/** Items for the eraser so far, without their envelopes. */
const items = (world: WorkspaceWorld): JsonObject[] =>
  world.folds.elsewhere.filter(({ topic }) => topic === 'erasures').map(({ envelope }) => envelope.input);

/** What the workspace remembers. */
const outcomesIn = (world: WorkspaceWorld) =>
  world.folds.rows('workspaces', installationId).filter(({ kind }) => kind === RUNTIME_KINDS.outcome);

describe('erasing', () => {
  it('leaves a mark, with the organization that may learn of it', () => {
    const world = erasedWorld();
    expect(world.workspace).toEqual({
      state: 'erased',
      erasedAt: world.now,
      organizationId: organizationOf('a'),
    });
    expect([world.listed(), world.places()]).toEqual([null, []]);
    expect(world.folds.root('imports', installationId)).toMatchObject({
      lifecycle: { state: 'erased' },
      importsMade: 0,
    });
  });

  it('has the rows of the workspace and of its products looked for', () => {
    expect(items(erasedWorld())).toEqual([
      { topic: 'workspaces', aggregate: installationId },
      { topic: 'imports', aggregate: installationId },
      { topic: 'activate', aggregate: installationId },
    ]);
  });

  it('removes credentials with everything that leads to them, and looks for more', () => {
    const world = erasedWorld();
    const known = items(world).length;
    eraseRows(world, ['first', 'backend', 'never there'].map(credentialIdOf));
    expect([world.credential('first'), world.credential('backend')]).toEqual([null, null]);
    expect(['first 1', 'backend 1', 'backend 2'].map((secret) => world.pointer(secret))).toEqual([
      null,
      null,
      null,
    ]);
    const after = { kind: 'credential', id: credentialIdOf('never there') };
    expect(items(world).slice(known)).toEqual([{ topic: 'workspaces', aggregate: installationId, after }]);
  });

  it('leaves a used claim code leading nowhere', () => {
    const world = new WorkspaceWorld();
    STATES.attached(world);
    expect(world.erase()).toBe('done');
    expect(world.attach('code 1')).toBe('not_found');
  });

  it('remembers nothing of a follow-up that comes once more, and releases only what was reserved', () => {
    const world = new WorkspaceWorld(undefined, 2);
    STATES.claimed(world);
    const remembered = () => outcomesIn(world).length;
    const before = remembered();
    expect(world.erase()).toBe('done');
    expect(remembered()).toBe(before);
    expect([world.listed(), world.places()]).toEqual([null, []]);
  });

  it('removes nothing of a workspace that exists', () => {
    const world = new WorkspaceWorld();
    STATES.claimed(world);
    expect(() => eraseRows(world, [credentialIdOf('first')])).toThrow('was not erased');
    expect(world.credential('first')).not.toBeNull();
  });
});
