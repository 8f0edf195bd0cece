import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import {
  installationId,
  organizationOf,
  PREVIEW_MS,
  START,
  STATES,
  WorkspaceHarness,
  workspaceId,
} from './workspace-harness.fixture.ts';

const installationOf = (number: number) => idFrom('installation', keyedDigest('test', `many ${number}`));

function harnessWith(state: keyof typeof STATES, claimedPerOrganization = 10): WorkspaceHarness {
  const { workspace } = DEFAULT_LIMITS;
  const harness = new WorkspaceHarness({
    ...DEFAULT_LIMITS,
    workspace: { ...workspace, claimedPerOrganization },
  });
  STATES[state](harness);
  return harness;
}

describe('a claim', () => {
  it('moves the preview to Free without an end, ends its provision token, and notifies products and organization', () => {
    const harness = harnessWith('attached');
    const { attachment, name, createdAt, creator } = harness.workspace;
    expect(creator).toBe('a'.repeat(16));
    expect(harness.claim()).toBe('done');
    expect(harness.workspace).toMatchObject({
      ...{ attachment, name, createdAt },
      state: 'active',
      plan: 'free',
      expiresAt: null,
      provisionDigest: null,
      claimLink: null,
      claim: { claimedAt: START, evidence: { kind: 'import' } },
    });
    expect(harness.workspace).not.toHaveProperty('creator');
    expect(harness.folds.root('imports', installationId)).toMatchObject({
      lifecycle: { state: 'active', plan: 'free', expiresAt: null },
      importsInMonth: { month: '2026-11', made: 0 },
    });
    expect(harness.places()).toEqual([{ workspaceId, state: 'claimed' }]);
    expect(harness.indexed('first 1')).not.toBeNull();
  });

  it('lifts the end of the preview', () => {
    const harness = harnessWith('claimed');
    harness.now += 2 * PREVIEW_MS;
    expect(harness.change('pause')).toBe('done');
  });

  it('releases its place if it is refused', () => {
    const harness = harnessWith('expired');
    expect(harness.claim()).toBe('expired');
    expect(harness.places()).toEqual([]);
  });

  it('keeps its place if it is repeated after the workspace was disconnected', () => {
    const harness = harnessWith('disconnected');
    expect(harness.claim()).toBe('workspace_disconnected');
    expect(harness.places()).toEqual([{ workspaceId, state: 'claimed' }]);
  });

  it('is refused beyond the limit until a claimed workspace is erased', () => {
    const harness = harnessWith('missing', 2);
    const make = (number: number) => {
      harness.create(`token ${number}`, installationOf(number));
      harness.openLink(`link ${number}`, installationOf(number), `token ${number}`);
      harness.attach(`link ${number}`, 'a', installationOf(number));
    };
    for (const number of [1, 2, 3]) make(number);
    expect([1, 2, 3, 2].map((number) => harness.claim('a', installationOf(number)))).toEqual([
      'done',
      'done',
      'limit_reached',
      'done',
    ]);
    expect(harness.erase('a', installationOf(1))).toBe('done');
    expect(harness.claim('a', installationOf(3))).toBe('done');
    expect(harness.places()).toHaveLength(2);
  });
});

describe('every order of commands of two owners', () => {
  const commands = {
    attach: (harness: WorkspaceHarness) => harness.attachAgain(),
    attachElsewhere: (harness: WorkspaceHarness) => harness.attachAgain('b'),
    claim: (harness: WorkspaceHarness) => harness.claim(),
    claimElsewhere: (harness: WorkspaceHarness) => harness.claim('b'),
    pause: (harness: WorkspaceHarness) => harness.change('pause'),
    resume: (harness: WorkspaceHarness) => harness.change('resume'),
    disconnect: (harness: WorkspaceHarness) => harness.change('disconnect'),
    erase: (harness: WorkspaceHarness) => harness.erase(),
    wait: (harness: WorkspaceHarness) => {
      harness.now += PREVIEW_MS / 3;
    },
  } as const;
  type CommandName = keyof typeof commands;
  const order = fc.array(fc.constantFrom(...(Object.keys(commands) as CommandName[])), { maxLength: 20 });

  it('leaves organizations, workspace and products consistent', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 3 }), (names, deliveries) => {
        const harness = new WorkspaceHarness(DEFAULT_LIMITS, deliveries);
        harness.create();
        for (const name of names) commands[name](harness);
        checkConsistency(harness);
      }),
      { numRuns: 150 },
    );
  });
});

/** Checks that exactly the workspace's organization lists it, and counts its place if it is claimed. */
function checkConsistency(harness: WorkspaceHarness): void {
  const { workspace } = harness;
  const { lifecycle } = harness.folds.root('imports', installationId) as { lifecycle: object };
  expect(lifecycle).toMatchObject({ state: workspace.state });
  const { attachment = null, claim = null } = workspace;
  for (const organization of ['a', 'b']) {
    const owns = attachment?.organizationId === organizationOf(organization);
    expect(harness.listed(organization)?.['state']).toBe(owns ? 'attached' : undefined);
    const places = owns && claim !== null ? [{ workspaceId, state: 'claimed' }] : [];
    expect(harness.places(organization)).toEqual(places);
  }
}
