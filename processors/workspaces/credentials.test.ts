import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { credentialIdOf, installationId, STATES, WorkspaceHarness } from './workspace-harness.fixture.ts';

const { extraCredentials, lastUseMs } = DEFAULT_LIMITS.workspace;

let harness: WorkspaceHarness;

beforeEach(() => {
  harness = new WorkspaceHarness();
  STATES.claimed(harness);
});

const target = (name: string) => ({ installationId, credentialId: credentialIdOf(name) });

describe('a named credential', () => {
  it('gives access to the workspace as its first credential does', () => {
    expect(harness.createCredential('backend')).toBe('done');
    expect(harness.credential('backend')).toMatchObject({ name: 'backend', number: 1, revokedAt: null });
    expect(harness.indexed('backend 1')).toEqual(target('backend'));
  });

  it('is refused beyond five until one is revoked', () => {
    for (let number = 1; number <= extraCredentials; number += 1) {
      expect(harness.createCredential(`extra ${number}`)).toBe('done');
    }
    expect(harness.createCredential('one more')).toBe('limit_reached');
    expect(harness.revoke('first')).toBe('done');
    expect(harness.createCredential('one more')).toBe('limit_reached');
    expect(harness.revoke('extra 3')).toBe('done');
    expect(harness.createCredential('one more')).toBe('done');
    expect(harness.workspace.extraCredentialIds).toEqual(
      ['extra 1', 'extra 2', 'extra 4', 'extra 5', 'one more'].map(credentialIdOf),
    );
  });
});

describe('a rotation', () => {
  it('keeps both secrets valid for the overlap', () => {
    expect(harness.rotate('first', 2, 2 * HOUR_MS)).toBe('done');
    expect(harness.credential('first')).toMatchObject({
      number: 2,
      previous: { endsAt: harness.now + 2 * HOUR_MS },
    });
    expect([harness.indexed('first 1'), harness.indexed('first 2')]).toEqual([
      target('first'),
      target('first'),
    ]);
  });

  it('ends the previous secret at once without an overlap', () => {
    harness.rotate('first', 2, 0);
    expect(harness.credential('first')).toMatchObject({ previous: null });
    expect([harness.indexed('first 1'), harness.indexed('first 2')]).toEqual([null, target('first')]);
  });

  it('ends the oldest secret in the overlap of another rotation', () => {
    harness.rotate('first', 2);
    harness.rotate('first', 3);
    expect(['first 1', 'first 2', 'first 3'].map((secret) => harness.indexed(secret) !== null)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is refused if another rotation came first', () => {
    harness.rotate('first', 2);
    expect(harness.rotate('first', 2)).toBe('state_conflict');
    expect(harness.indexed('first 2')).toEqual(target('first'));
  });

  it('is refused for a revoked or unknown credential', () => {
    harness.revoke('first');
    expect(harness.rotate('first', 2)).toBe('not_found');
    expect(harness.rotate('unknown', 2)).toBe('not_found');
  });
});

describe('a revocation', () => {
  it('ends every secret', () => {
    harness.rotate('first', 2);
    harness.revoke('first');
    expect([harness.indexed('first 1'), harness.indexed('first 2')]).toEqual([null, null]);
    expect(harness.workspace.firstCredentialId).toBeNull();
  });
});

describe('a use', () => {
  it('is stored once an hour', () => {
    const first = harness.now;
    harness.use();
    harness.now += lastUseMs - 1;
    harness.use();
    expect(harness.credential('first')).toMatchObject({ lastUsedAt: first });
    harness.now += 1;
    harness.use();
    expect(harness.credential('first')).toMatchObject({ lastUsedAt: first + lastUseMs });
  });

  it('changes nothing if the credential is revoked, unknown or erased', () => {
    harness.revoke('first');
    const before = harness.documents();
    for (const name of ['first', 'unknown']) expect(harness.use(name)).toBe('done');
    expect(harness.documents()).toBe(before);
    harness.erase();
    expect(harness.use()).toBe('done');
  });
});
