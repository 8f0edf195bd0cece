import { describe, expect, it } from 'vitest';
import { matchesFilter } from './workspace-filter.ts';

const WORKSPACE = {
  workspaceId: 'wks_4f2kq7mzt3vdx5wn6rjphb2c',
  installationId: 'ins_r6tac7g5hlukls44jg7xk3vd',
  name: 'Seismic catalogue',
  state: 'active' as const,
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
  ])('for the text %j and the state %j is %j', (text, state, expected) => {
    expect(matchesFilter(WORKSPACE, { text, state })).toBe(expected);
  });
});
