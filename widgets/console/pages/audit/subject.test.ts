import { describe, expect, it } from 'vitest';
import type { Entry } from './queries.ts';
import { addressOf, detailWord, groupReads, kindOf, subjectOf } from './subject.ts';

const REST = 'a'.repeat(24);
const IMPORT = 'ac22eb33-bc20-42db-8763-e63c3248105c';

const ACTOR = { kind: 'user', id: `usr_${REST}` } as const;

const entry = (requestId: string, action: string, target: string | null = null): Entry => ({
  at: '2026-09-16T10:00:00.000Z',
  actor: ACTOR,
  action,
  target,
  requestId,
  detail: {},
});

describe('subjectOf', () => {
  it('finds the workspace and the resource in the target or in the details', () => {
    const of = (target: string | null, detail = {}) => subjectOf({ actor: ACTOR, target, detail });
    const found = { workspaceId: `wks_${REST}`, resourceId: IMPORT };
    expect(of(`ins_${REST}/import/${IMPORT}`)).toEqual(found);
    expect(of(`ins_${REST}`, { workspaceId: `wks_${REST}`, importId: IMPORT })).toEqual(found);
    expect(of(null, { userId: ACTOR.id })).toEqual({ workspaceId: null, resourceId: null });
    expect(of(`org_${REST}/key/key_${REST}`)).toEqual({ workspaceId: null, resourceId: `key_${REST}` });
  });
});

describe('addressOf', () => {
  it('leads to the page of a resource, or to the one that lists it', () => {
    const within = `wks_${REST}`;
    expect(addressOf(IMPORT, within)).toBe(`/agent-workspaces/${within}/imports/${IMPORT}`);
    expect(addressOf(`sui_${REST}`, within)).toBe(`/agent-workspaces/${within}/checks?suite=sui_${REST}`);
    expect(addressOf(`crd_${REST}`, within)).toBe(`/agent-workspaces/${within}`);
    expect(addressOf(`usr_${REST}`, null)).toBe('/members');
    expect(addressOf(IMPORT, null)).toBeNull();
    expect([kindOf(IMPORT), kindOf(`cap_${REST}`), kindOf('owner')]).toEqual(['import', 'capability', null]);
  });
});

describe('groupReads', () => {
  it('joins equal reads until something else happened', () => {
    const entries = [
      entry('1', 'imports.read-rows', 'ins_a/x'),
      entry('2', 'imports.read-errors', 'ins_a/x'),
      entry('3', 'imports.read-rows', 'ins_a/x'),
      entry('4', 'imports.read-rows', 'ins_b/x'),
      entry('5', 'imports.approve-import', 'ins_a/x'),
      entry('6', 'imports.read-rows', 'ins_a/x'),
      entry('7', 'people.session-start'),
      entry('8', 'people.session-start'),
    ];
    const joined = groupReads(entries).map((group) => group.map(({ requestId }) => requestId).join());
    expect(joined).toEqual(['1,3', '2', '4', '5', '6', '7', '8']);
  });
});

describe('detailWord', () => {
  it('makes words of a name', () => {
    expect(['workspaceId', 'role', 'batchIndex'].map(detailWord)).toEqual([
      'Workspace',
      'Role',
      'Batch index',
    ]);
  });
});
