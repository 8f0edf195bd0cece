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
  WorkspaceWorld,
  workspaceId,
} from './workspace-world.fixture.ts';

const installationOf = (number: number) => idFrom('installation', keyedDigest('test', `many ${number}`));

function worldWith(state: keyof typeof STATES, claimedPerOrganization = 10): WorkspaceWorld {
  const { workspace } = DEFAULT_LIMITS;
  const world = new WorkspaceWorld({
    ...DEFAULT_LIMITS,
    workspace: { ...workspace, claimedPerOrganization },
  });
  STATES[state](world);
  return world;
}

describe('a claim', () => {
  it('moves the preview to Free, ends its end and its provision token, and tells products and organization', () => {
    const world = worldWith('attached');
    const { attachment, name, createdAt } = world.workspace;
    expect(world.claim()).toBe('done');
    expect(world.workspace).toMatchObject({
      ...{ attachment, name, createdAt },
      state: 'active',
      plan: 'free',
      expiresAt: null,
      provisionDigest: null,
      claimLink: null,
      claim: { claimedAt: START, evidence: { kind: 'import' } },
    });
    expect(world.folds.root('imports', installationId)).toMatchObject({
      lifecycle: { state: 'active', plan: 'free', expiresAt: null },
      importsInMonth: { month: '2026-11', made: 0 },
    });
    expect(world.places()).toEqual([{ workspaceId, state: 'claimed' }]);
    expect(world.pointer('first 1')).not.toBeNull();
  });

  it('does not end any more', () => {
    const world = worldWith('claimed');
    world.now += 2 * PREVIEW_MS;
    expect(world.change('pause')).toBe('done');
  });

  it('that is refused gives its place back', () => {
    const world = worldWith('expired');
    expect(world.claim()).toBe('expired');
    expect(world.places()).toEqual([]);
  });

  it('that is repeated on a workspace since disconnected keeps its place', () => {
    const world = worldWith('disconnected');
    expect(world.claim()).toBe('workspace_disconnected');
    expect(world.places()).toEqual([{ workspaceId, state: 'claimed' }]);
  });

  it('finds no place beyond the limit until a claimed workspace is erased', () => {
    const world = worldWith('missing', 2);
    const make = (number: number) => {
      world.create(`token ${number}`, installationOf(number));
      world.openLink(`link ${number}`, installationOf(number), `token ${number}`);
      world.attach(`link ${number}`, 'a', installationOf(number));
    };
    for (const number of [1, 2, 3]) make(number);
    expect([1, 2, 3, 2].map((number) => world.claim('a', installationOf(number)))).toEqual([
      'done',
      'done',
      'limit_reached',
      'done',
    ]);
    expect(world.erase('a', installationOf(1))).toBe('done');
    expect(world.claim('a', installationOf(3))).toBe('done');
    expect(world.places()).toHaveLength(2);
  });
});

describe('every order of what an owner does', () => {
  const steps = {
    attach: (world: WorkspaceWorld) => world.attachAnew(),
    attachElsewhere: (world: WorkspaceWorld) => world.attachAnew('b'),
    claim: (world: WorkspaceWorld) => world.claim(),
    claimElsewhere: (world: WorkspaceWorld) => world.claim('b'),
    pause: (world: WorkspaceWorld) => world.change('pause'),
    resume: (world: WorkspaceWorld) => world.change('resume'),
    disconnect: (world: WorkspaceWorld) => world.change('disconnect'),
    erase: (world: WorkspaceWorld) => world.erase(),
    wait: (world: WorkspaceWorld) => {
      world.now += PREVIEW_MS / 3;
    },
  } as const;
  type StepName = keyof typeof steps;
  const order = fc.array(fc.constantFrom(...(Object.keys(steps) as StepName[])), { maxLength: 20 });

  it('leaves organization, workspace and products of one mind', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 3 }), (names, deliveries) => {
        const world = new WorkspaceWorld(DEFAULT_LIMITS, deliveries);
        world.create();
        for (const name of names) steps[name](world);
        checkOneMind(world);
      }),
      { numRuns: 150 },
    );
  });
});

/** Whoever the workspace says it belongs to lists it, counts it, and nobody else does. */
function checkOneMind(world: WorkspaceWorld): void {
  const { workspace } = world;
  const { lifecycle } = world.folds.root('imports', installationId) as { lifecycle: object };
  expect(lifecycle).toMatchObject({ state: workspace.state });
  const { attachment = null, claim = null } = workspace;
  for (const organization of ['a', 'b']) {
    const owns = attachment?.organizationId === organizationOf(organization);
    expect(world.listed(organization)?.['state']).toBe(owns ? 'attached' : undefined);
    const places = owns && claim !== null ? [{ workspaceId, state: 'claimed' }] : [];
    expect(world.places(organization)).toEqual(places);
  }
}
