import { describe, expect, it } from 'vitest';
import { matchesFilter, waitingFirst } from './workspace-filter.ts';

const WORKSPACE = {
  workspaceId: 'wks_4f2kq7mzt3vdx5wn6rjphb2c',
  installationId: 'ins_r6tac7g5hlukls44jg7xk3vd',
  name: 'Seismic catalogue',
  state: 'active' as const,
  next: null,
};

describe('matchesFilter', () => {
  it.each([
    ['', null, true],
    ['CATALOG', null, true],
    [' wks_4f2kq7mzt3vdx5wn6rjphb2c ', null, true],
    ['ins_r6ta', null, true],
    ['4f2k', null, false],
    ['seismic', 'active', true],
    ['seismic', 'paused', false],
    ['', 'preview', false],
    ['', 'waiting', false],
  ])('for the text %j and the state %j is %j', (text, state, expected) => {
    expect(matchesFilter(WORKSPACE, { text, state })).toBe(expected);
  });
});

describe('waitingFirst', () => {
  it('keeps the order among those that wait, and among the others', () => {
    const next = (kind: 'claim' | 'resume') => ({
      kind,
      importId: null,
      schemaId: null,
      schemaName: null,
      count: 1,
      since: null,
    });
    const listed = [
      { name: 'a', next: null },
      { name: 'b', next: next('claim') },
      { name: 'c', next: next('resume') },
      { name: 'd', next: next('claim') },
    ];
    expect(waitingFirst(listed).map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c']);
  });
});
