import { describe, expect, it } from 'vitest';
import { sharedPartOf } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import {
  credentialIdOf,
  installationId,
  organizationOf,
  STATES,
  WorkspaceHarness,
} from './workspace-harness.fixture.ts';

function erasedHarness(): WorkspaceHarness {
  const harness = new WorkspaceHarness();
  STATES.claimed(harness);
  harness.createCredential('backend');
  harness.rotate('backend', 2, HOUR_MS);
  harness.folds.elsewhere.length = 0;
  expect(harness.erase()).toBe('done');
  return harness;
}

const eraseRows = (harness: WorkspaceHarness, ids: readonly string[]) =>
  harness.folds.send({
    topic: 'workspaces',
    aggregate: installationId,
    type: 'erase-rows',
    input: { rows: ids.map((id) => ({ kind: 'credential', id })) },
  });

/** The items that the eraser has received, without their envelopes. */
const items = (harness: WorkspaceHarness): JsonObject[] =>
  harness.folds.elsewhere.filter(({ topic }) => topic === 'erasures').map(({ envelope }) => envelope.input);

/** The outcomes that the workspace remembers. */
const outcomesIn = (harness: WorkspaceHarness) =>
  harness.folds.rows('workspaces', installationId).filter(({ kind }) => kind === RUNTIME_KINDS.outcome);

describe('erasing', () => {
  it('leaves a mark with the organization', () => {
    const harness = erasedHarness();
    expect(harness.workspace).toEqual({
      state: 'erased',
      erasedAt: harness.now,
      organizationId: organizationOf('a'),
    });
    expect([harness.listed(), harness.places()]).toEqual([null, []]);
    expect(harness.folds.root('imports', installationId)).toMatchObject({
      lifecycle: { state: 'erased' },
      importsMade: 0,
    });
  });

  it('asks the eraser for dead letters, and for the rows of the workspace and of its products', () => {
    const harness = erasedHarness();
    expect(items(harness)).toEqual([
      { topic: 'workspaces', aggregate: installationId },
      { about: sharedPartOf(installationId), before: harness.now },
      { topic: 'imports', aggregate: installationId },
      { topic: 'activate', aggregate: installationId },
    ]);
  });

  it('removes credentials with their index entries, and asks for the next rows', () => {
    const harness = erasedHarness();
    const known = items(harness).length;
    eraseRows(harness, ['first', 'backend', 'never there'].map(credentialIdOf));
    expect([harness.credential('first'), harness.credential('backend')]).toEqual([null, null]);
    expect(['first 1', 'backend 1', 'backend 2'].map((secret) => harness.indexed(secret))).toEqual([
      null,
      null,
      null,
    ]);
    const after = { kind: 'credential', id: credentialIdOf('never there') };
    expect(items(harness).slice(known)).toEqual([{ topic: 'workspaces', aggregate: installationId, after }]);
  });

  it('ends the claim code that attached the workspace', () => {
    const harness = new WorkspaceHarness();
    STATES.attached(harness);
    expect(harness.erase()).toBe('done');
    expect(harness.attach('code 1')).toBe('not_found');
  });

  it('remembers nothing of a repeated follow-up, and releases only what was reserved', () => {
    const harness = new WorkspaceHarness(undefined, 2);
    STATES.claimed(harness);
    const remembered = () => outcomesIn(harness).length;
    const before = remembered();
    expect(harness.erase()).toBe('done');
    expect(remembered()).toBe(before);
    expect([harness.listed(), harness.places()]).toEqual([null, []]);
  });

  it('removes nothing of a workspace that exists', () => {
    const harness = new WorkspaceHarness();
    STATES.claimed(harness);
    expect(() => eraseRows(harness, [credentialIdOf('first')])).toThrow('was not erased');
    expect(harness.credential('first')).not.toBeNull();
  });
});
