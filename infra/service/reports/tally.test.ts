import { describe, expect, it } from 'vitest';
import { idFrom, workspaceOf } from '../../../schemas/base/ids.ts';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { feedbackProduct } from '../../../schemas/feedback/product.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import {
  NO_COUNTS,
  NO_WORKSPACES,
  ORIGINS_MAX,
  OTHER_ORIGINS,
  WORKSPACES_NAMED,
} from '../../../schemas/operations/tallies.ts';
import type { WorkspaceDocument } from '../../../schemas/workspaces/documents.ts';
import { Tally } from './tally.ts';

const HOUR = Date.UTC(2026, 8, 18, 14);
const BYTES = new Uint8Array(32);
const key = idFrom('installation', BYTES);

function workspace(differing: Partial<WorkspaceDocument> = {}): WorkspaceDocument {
  return {
    ...{ name: 'one', cohort: 'dogfood', products: [], state: 'preview', plan: 'preview' },
    ...{
      createdAt: HOUR,
      expiresAt: HOUR + 72 * HOUR_MS,
      claim: null,
      provisionDigest: null,
      claimLink: null,
    },
    ...{ attachment: null, firstCredentialId: null, extraCredentialIds: [], ...differing },
  };
}

function done(type: string, appendedAt: number) {
  return { type, appendedAt, outcome: { kind: 'done' as const, result: {} } };
}

describe('the tally of a process', () => {
  it('counts the life of workspaces by the hour, each step once', () => {
    let now = HOUR;
    const tally = new Tally(DEFAULT_LIMITS, () => now);
    const commit = (root: WorkspaceDocument, ...decided: ReturnType<typeof done>[]) =>
      tally.committed({ topic: 'workspaces', key, root, decided });
    commit(workspace(), done('create', HOUR));
    commit(workspace(), done('create', HOUR + 5));
    now += HOUR_MS;
    const evidence = { kind: 'feedback' as const, id: idFrom('submission', BYTES), at: HOUR };
    const claim = { claimedBy: idFrom('user', BYTES), claimedAt: now, evidence };
    commit(workspace({ state: 'active', plan: 'free', claim, expiresAt: null }), done('claim', now));
    expect(tally.read().hours).toMatchObject([
      { at: HOUR, counts: { created: 1, claimed: 0, claimedLater: 1 } },
      { at: now, counts: { created: 0, claimed: 1, claimedLater: 0 } },
    ]);
    const named = workspaceOf(key);
    expect(tally.read().hours.map(({ workspaces }) => workspaces)).toEqual([
      { created: [named], attached: [], claimed: [], claimedLater: [named] },
      { created: [], attached: [], claimed: [named], claimedLater: [] },
    ]);
  });

  it('names the latest workspaces behind a number, a bounded number of them', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    const keys = Array.from({ length: WORKSPACES_NAMED + 5 }, (_, index) =>
      idFrom('installation', new Uint8Array(32).fill(index)),
    );
    for (const each of keys) {
      tally.committed({
        topic: 'workspaces',
        key: each,
        root: workspace(),
        decided: [done('create', HOUR)],
      });
      tally.feedback('https://one.example', false, each);
    }
    const [hour] = tally.read().hours;
    expect(hour?.counts.created).toBe(keys.length);
    expect(hour?.workspaces.created).toEqual(keys.slice(-WORKSPACES_NAMED).map(workspaceOf));
    expect(hour?.origins['https://one.example']?.workspaces).toEqual(keys.slice(-3).map(workspaceOf));
  });

  it('tells quotas that are nearly used up, and what a claim frees', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    const commit = (submissionsMade: number, plan: 'preview' | 'free', type: string) => {
      const lifecycle = { version: 1, state: 'active' as const, plan, expiresAt: null, products: [] };
      const root = { ...feedbackProduct.root.empty, lifecycle, submissionsMade };
      tally.committed({ topic: 'feedback', key, root, decided: [done(type, HOUR)] });
    };
    const submissions = () => tally.read().quotas.find(({ quota }) => quota === 'submissions');
    commit(39, 'preview', 'receive-submission');
    expect(submissions()).toBeUndefined();
    commit(40, 'preview', 'receive-submission');
    expect(submissions()).toMatchObject({ installationId: key, used: 40, limit: 50 });
    commit(40, 'free', 'lifecycle');
    expect(submissions()).toMatchObject({ used: 0, limit: 1_000 });
  });

  it('tells the end of a workspace whose quotas are nearly used up', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    const commit = (state: 'preview' | 'disconnected', expiresAt: number | null) => {
      const lifecycle = { version: 1, state, plan: 'preview' as const, expiresAt, products: [] };
      const root = { ...feedbackProduct.root.empty, lifecycle, submissionsMade: 45 };
      tally.committed({ topic: 'feedback', key, root, decided: [done('lifecycle', HOUR)] });
      return tally.read().quotas.find(({ quota }) => quota === 'submissions')?.endsAt;
    };
    expect(commit('preview', HOUR + 5)).toBe(HOUR + 5);
    expect(commit('disconnected', null)).toBe(HOUR);
  });

  it('forgets an erased workspace, and takes no further names of it', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    const lifecycle = { version: 1, state: 'preview' as const, plan: 'preview' as const, expiresAt: null };
    const root = { ...feedbackProduct.root.empty, lifecycle: { ...lifecycle, products: [] } };
    const nearlyUsed = { ...root, submissionsMade: 45 };
    tally.committed({ topic: 'workspaces', key, root: workspace(), decided: [done('create', HOUR)] });
    tally.committed({ topic: 'feedback', key, root: nearlyUsed, decided: [done('lifecycle', HOUR)] });
    tally.feedback('https://private.example', false, key);
    const erased = {
      state: 'erased' as const,
      erasedAt: HOUR,
      organizationId: idFrom('organization', BYTES),
    };
    tally.committed({ topic: 'workspaces', key, root: erased, decided: [done('erase', HOUR)] });
    tally.feedback('https://private.example', true, key);
    const { hours, ...rest } = tally.read();
    expect(rest).toEqual({ quotas: [], erased: [{ workspaceId: workspaceOf(key), at: HOUR }] });
    expect(hours).toEqual([
      {
        ...{ at: HOUR, counts: { ...NO_COUNTS, created: 1 }, workspaces: NO_WORKSPACES },
        origins: { [OTHER_ORIGINS]: { accepted: 1, held: 1, workspaces: [] } },
      },
    ]);
    const ofProduct = new Tally(DEFAULT_LIMITS, () => HOUR);
    const mark = { ...root, lifecycle: { ...lifecycle, state: 'erased' as const, products: [] } };
    ofProduct.committed({ topic: 'feedback', key, root: nearlyUsed, decided: [done('lifecycle', HOUR)] });
    ofProduct.committed({ topic: 'feedback', key, root: mark, decided: [done('lifecycle', HOUR)] });
    expect(ofProduct.read().quotas).toEqual([]);
  });

  it('counts feedback by origin, a bounded number of them', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    for (let index = 0; index < ORIGINS_MAX + 2; index += 1)
      tally.feedback(`https://${index}.example`, index > 0, key);
    const [hour] = tally.read().hours;
    expect(hour?.origins['https://0.example']).toEqual({
      accepted: 1,
      held: 0,
      workspaces: [workspaceOf(key)],
    });
    expect(hour?.origins[OTHER_ORIGINS]).toMatchObject({ accepted: 0, held: 2 });
  });

  it('counts creations that were refused because of their address', () => {
    const tally = new Tally(DEFAULT_LIMITS, () => HOUR);
    const route = { method: 'POST', path: '/v1/agent/workspaces' };
    tally.answered({ route, status: 429, code: 'rate_limited', ms: 1 });
    tally.answered({ route, status: 201, code: null, ms: 1 });
    expect(tally.read().hours).toMatchObject([{ counts: { refused: 1 } }]);
  });
});
