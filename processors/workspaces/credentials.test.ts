import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { credentialIdOf, installationId, STATES, WorkspaceWorld } from './workspace-world.fixture.ts';

const { extraCredentials, lastUseMs } = DEFAULT_LIMITS.workspace;

let world: WorkspaceWorld;

beforeEach(() => {
  world = new WorkspaceWorld();
  STATES.claimed(world);
});

const target = (name: string) => ({ installationId, credentialId: credentialIdOf(name) });

describe('a named credential', () => {
  it('leads to the workspace as its first one does', () => {
    expect(world.createCredential('backend')).toBe('done');
    expect(world.credential('backend')).toMatchObject({ name: 'backend', number: 1, revokedAt: null });
    expect(world.pointer('backend 1')).toEqual(target('backend'));
  });

  it('is one of five; a revoked one makes room', () => {
    for (let number = 1; number <= extraCredentials; number += 1) {
      expect(world.createCredential(`extra ${number}`)).toBe('done');
    }
    expect(world.createCredential('one more')).toBe('limit_reached');
    expect(world.revoke('first')).toBe('done');
    expect(world.createCredential('one more')).toBe('limit_reached');
    expect(world.revoke('extra 3')).toBe('done');
    expect(world.createCredential('one more')).toBe('done');
    expect(world.workspace.extraCredentialIds).toEqual(
      ['extra 1', 'extra 2', 'extra 4', 'extra 5', 'one more'].map(credentialIdOf),
    );
  });
});

describe('a rotation', () => {
  it('lets both secrets hold for the overlap', () => {
    expect(world.rotate('first', 2, 2 * HOUR_MS)).toBe('done');
    expect(world.credential('first')).toMatchObject({
      number: 2,
      previous: { endsAt: world.now + 2 * HOUR_MS },
    });
    expect([world.pointer('first 1'), world.pointer('first 2')]).toEqual([target('first'), target('first')]);
  });

  it('without an overlap ends the secret before at once', () => {
    world.rotate('first', 2, 0);
    expect(world.credential('first')).toMatchObject({ previous: null });
    expect([world.pointer('first 1'), world.pointer('first 2')]).toEqual([null, target('first')]);
  });

  it('in the overlap of another one ends the oldest secret', () => {
    world.rotate('first', 2);
    world.rotate('first', 3);
    expect(['first 1', 'first 2', 'first 3'].map((secret) => world.pointer(secret) !== null)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('that another one came before is refused', () => {
    world.rotate('first', 2);
    expect(world.rotate('first', 2)).toBe('state_conflict');
    expect(world.pointer('first 2')).toEqual(target('first'));
  });

  it('is none of a revoked or unknown credential', () => {
    world.revoke('first');
    expect(world.rotate('first', 2)).toBe('not_found');
    expect(world.rotate('unknown', 2)).toBe('not_found');
  });
});

describe('a revocation', () => {
  it('ends every secret', () => {
    world.rotate('first', 2);
    world.revoke('first');
    expect([world.pointer('first 1'), world.pointer('first 2')]).toEqual([null, null]);
    expect(world.workspace.firstCredentialId).toBeNull();
  });
});

describe('a use', () => {
  it('is noted once an hour', () => {
    const first = world.now;
    world.use();
    world.now += lastUseMs - 1;
    world.use();
    expect(world.credential('first')).toMatchObject({ lastUsedAt: first });
    world.now += 1;
    world.use();
    expect(world.credential('first')).toMatchObject({ lastUsedAt: first + lastUseMs });
  });

  it('of what is revoked, unknown or erased is not noted', () => {
    world.revoke('first');
    const before = world.documents();
    for (const name of ['first', 'unknown']) expect(world.use(name)).toBe('done');
    expect(world.documents()).toBe(before);
    world.erase();
    expect(world.use()).toBe('done');
  });
});
