import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyedDigest, sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom, workspaceOf } from '../../schemas/base/ids.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { PRODUCTS } from '../../schemas/products.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createOrganizationsFold } from '../organizations/fold.ts';
import { createPeopleFold } from '../people/fold.ts';
import { createWorkspacesFold } from './fold.ts';

const START = Date.UTC(2026, 10, 21, 12);
const bytes = (text: string) => keyedDigest('test', text);
const installationId = idFrom('installation', bytes('one'));
const workspaceId = workspaceOf(installationId);
const credentialId = idFrom('credential', bytes('one'));
const orgA = idFrom('organization', bytes('a'));
const orgB = idFrom('organization', bytes('b'));
const provisionDigest = sha256Hex('provision token');
const creation = {
  name: 'Orders',
  cohort: 'external',
  products: ['svcimport'],
  provisionDigest,
  credential: { credentialId, number: 1, digest: sha256Hex('credential'), lastFour: 'abcd' },
} as const;

let harness: FoldWorld;
const users = new Map<string, string>();

beforeEach(() => {
  harness = newHarness();
});

function newHarness(deliveries = 1): FoldWorld {
  const folds = [
    createWorkspacesFold(DEFAULT_LIMITS),
    createOrganizationsFold(DEFAULT_LIMITS),
    createPeopleFold(DEFAULT_LIMITS),
  ];
  const made = new FoldWorld(folds, START, deliveries);
  for (const organization of [orgA, orgB]) {
    const userId = idFrom('user', bytes(organization));
    users.set(organization, userId);
    made.send({
      topic: 'organizations',
      aggregate: organization,
      type: 'set-up',
      input: {
        name: 'Example',
        operator: false,
        personKey: sha256Hex(`person of ${organization}`),
        userId,
        identityBlob: 'blob',
        sessionDigest: sha256Hex(`session of ${organization}`),
      },
    });
  }
  return made;
}

function create(name = 'Orders') {
  const input = { ...creation, name };
  return harness.send({
    topic: 'workspaces',
    aggregate: installationId,
    type: 'create',
    key: 'create',
    input,
  });
}

function openLink(code: string, token = 'provision token') {
  return harness.send({
    topic: 'workspaces',
    aggregate: installationId,
    type: 'claim-link',
    input: { provisionDigest: sha256Hex(token), claimDigest: sha256Hex(code) },
  });
}

function attach(code: string, confirmed: boolean, organization = orgA, userId = users.get(organization)) {
  return harness.send({
    topic: 'organizations',
    aggregate: organization,
    type: 'attach',
    actor: { kind: 'user', id: String(userId) },
    input: { installationId, claimDigest: sha256Hex(code), confirmed },
  });
}

const workspace = () => harness.root('workspaces', installationId) as WorkspaceDocument;
const reservation = (organization = orgA) =>
  harness.row('organizations', organization, 'workspace', workspaceId);
const entry = (code: string) => harness.digestIndex.get(`claim-code:${sha256Hex(code)}`)?.target ?? null;
const refusalCode = (code: string) => ({ kind: 'refused', refusal: { code } });

describe('create', () => {
  it('makes a preview of 72 hours, a credential with its index entry, and notifies the products', () => {
    expect(create()).toMatchObject({ kind: 'done', result: { credentialId, number: 1 } });
    expect(workspace()).toMatchObject({ state: 'preview', plan: 'preview', expiresAt: START + 72 * HOUR_MS });
    expect(harness.row('workspaces', installationId, 'credential', credentialId)).toMatchObject({
      revokedAt: null,
    });
    expect(harness.digestIndex.get(`credential:${creation.credential.digest}`)).toMatchObject({
      target: { installationId, credentialId },
      expiresAt: null,
    });
    expect(
      harness.elsewhere.map(({ topic, key, envelope }) => [topic, key, envelope.type, envelope.input]),
    ).toEqual(
      PRODUCTS.map(({ topic }) => [
        topic,
        installationId,
        'lifecycle',
        {
          version: 1,
          state: 'preview',
          plan: 'preview',
          expiresAt: START + 72 * HOUR_MS,
          products: ['svcimport'],
        },
      ]),
    );
  });

  it('gives a repeat the first answer and changes nothing', () => {
    const first = create();
    const before = workspace();
    harness.now += HOUR_MS;
    expect(create()).toEqual(first);
    expect(workspace()).toEqual(before);
    expect(harness.elsewhere).toHaveLength(PRODUCTS.length);
  });

  it('refuses other input with the same token', () => {
    create();
    expect(create('Invoices')).toMatchObject(refusalCode('idempotency_conflict'));
  });

  it('refuses a repeat once the preview has ended', () => {
    create();
    harness.now = START + 72 * HOUR_MS;
    expect(create()).toMatchObject(refusalCode('state_conflict'));
  });

  it('refuses a repeat once it is attached', () => {
    create();
    openLink('code');
    attach('code', true);
    expect(create()).toMatchObject(refusalCode('state_conflict'));
  });
});

describe('claim-link', () => {
  it('is refused for a workspace that does not exist', () => {
    expect(openLink('code')).toMatchObject(refusalCode('not_found'));
  });

  it('is refused with another token, and keeps the open link', () => {
    create();
    openLink('code');
    expect(openLink('other', 'wrong token')).toMatchObject(refusalCode('forbidden'));
    expect(entry('code')).toEqual({ installationId });
    expect(entry('other')).toBeNull();
  });

  it('lasts an hour, and no longer than the preview', () => {
    create();
    expect(openLink('code')).toMatchObject({ kind: 'done', result: { expiresAt: START + HOUR_MS } });
    harness.now = START + 72 * HOUR_MS - 1_000;
    expect(openLink('late')).toMatchObject({ kind: 'done', result: { expiresAt: START + 72 * HOUR_MS } });
    harness.now += 1_000;
    expect(openLink('too late')).toMatchObject(refusalCode('expired'));
  });

  it('ends the previous link', () => {
    create();
    openLink('first');
    openLink('second');
    expect([entry('first'), entry('second')]).toEqual([null, { installationId }]);
    expect(attach('first', true)).toMatchObject(refusalCode('not_found'));
    expect(attach('second', true)).toMatchObject({ kind: 'done' });
  });

  it('is refused once the workspace is attached', () => {
    create();
    openLink('code');
    attach('code', true);
    expect(openLink('again')).toMatchObject(refusalCode('state_conflict'));
  });
});

describe('attach', () => {
  beforeEach(() => {
    create();
    openLink('code');
  });

  it('attaches for the first organization and stays a preview', () => {
    expect(attach('code', true)).toEqual({ kind: 'done', result: { workspaceId } });
    expect(workspace()).toMatchObject({
      state: 'preview',
      claimLink: null,
      attachment: { organizationId: orgA, attachedBy: users.get(orgA), attachedAt: START },
    });
    expect(reservation()).toEqual({ state: 'attached', at: START });
  });

  it('gives the same organization the same answer, also with a wrong confirm code', () => {
    const first = attach('code', true);
    harness.now += 1_000;
    expect(attach('code', false)).toEqual(first);
    expect(workspace().attachment?.attachedAt).toBe(START);
    expect(reservation()).toEqual({ state: 'attached', at: START });
  });

  it('attaches to the first organization and releases the reservation of the other', () => {
    attach('code', true);
    const late = attach('code', true, orgB);
    expect(late).toMatchObject(refusalCode('state_conflict'));
    expect(JSON.stringify(late)).not.toContain(orgA);
    expect(reservation(orgB)).toBeNull();
    expect(workspace().attachment?.organizationId).toBe(orgA);
  });

  it('counts wrong confirm codes and ends the link with the fifth', () => {
    for (let wrong = 1; wrong <= DEFAULT_LIMITS.workspace.confirmAttempts; wrong += 1) {
      expect(attach('code', false)).toMatchObject(refusalCode('forbidden'));
      expect(reservation()).toBeNull();
    }
    expect(entry('code')).toBeNull();
    expect(attach('code', true)).toMatchObject(refusalCode('not_found'));
    expect(workspace()).toMatchObject({ claimLink: null, attachment: null });
  });

  it('attaches after a wrong confirm code before the last', () => {
    attach('code', false);
    expect(attach('code', true)).toMatchObject({ kind: 'done' });
    expect(reservation()).toMatchObject({ state: 'attached' });
  });

  it('refuses after an hour', () => {
    harness.now += HOUR_MS;
    expect(attach('code', true)).toMatchObject(refusalCode('not_found'));
    expect(reservation()).toBeNull();
  });

  it('refuses when the preview has ended', () => {
    harness.now += 72 * HOUR_MS;
    expect(attach('code', true)).toMatchObject(refusalCode('expired'));
  });

  it('refuses a person who is no member of the organization', () => {
    expect(attach('code', true, orgA, users.get(orgB))).toMatchObject(refusalCode('forbidden'));
    expect(workspace().attachment).toBeNull();
  });
});

describe('every order of commands', () => {
  type Action =
    | { kind: 'create' }
    | { kind: 'link'; code: string }
    | { kind: 'attach'; code: string; confirmed: boolean; organization: string }
    | { kind: 'wait'; ms: number };

  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.constant<Action>({ kind: 'create' }),
    fc.record({ kind: fc.constant('link' as const), code: fc.constantFrom('a', 'b') }),
    fc.record({
      kind: fc.constant('attach' as const),
      code: fc.constantFrom('a', 'b'),
      confirmed: fc.boolean(),
      organization: fc.constantFrom(orgA, orgB),
    }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, HOUR_MS / 2, 40 * HOUR_MS) }),
  );

  function run(actions: readonly Action[], deliveries = 1): string {
    harness = newHarness(deliveries);
    for (const taken of actions) take(taken);
    return harness.documents();
  }

  function take(taken: Action): void {
    switch (taken.kind) {
      case 'create':
        create();
        return;
      case 'link':
        openLink(taken.code);
        return;
      case 'attach':
        attach(taken.code, taken.confirmed, taken.organization);
        return;
      case 'wait':
        harness.now += taken.ms;
        return;
    }
  }

  it('gives byte-equal documents when folded twice, and one owner on both sides', () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 25 }),
        fc.integer({ min: 1, max: 3 }),
        (actions, deliveries) => {
          expect(run(actions, deliveries)).toBe(run(actions, deliveries));
          const owner = (harness.root('workspaces', installationId) as WorkspaceDocument | null)?.attachment;
          for (const organization of [orgA, orgB]) {
            const expected = owner?.organizationId === organization ? 'attached' : undefined;
            expect(reservation(organization)?.['state']).toBe(expected);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
