import { describe, expect, it } from 'vitest';
import { matchKeys, type Shortcut } from './shortcut-keys.ts';

const shortcut = (keys: string): Shortcut => ({ keys, about: '', run: () => undefined });

describe('matchKeys', () => {
  const [help, workspaces] = [shortcut('?'), shortcut('g w')];
  const all = [help, workspaces];

  it('finds a key, and a sequence when it is whole', () => {
    expect([matchKeys(['?'], all), matchKeys(['g', 'w'], all)]).toEqual([help, workspaces]);
  });

  it('waits for the second key of a sequence', () => {
    expect(matchKeys(['g'], all)).toBe('begun');
  });

  it('finds nothing for other keys', () => {
    expect([matchKeys(['w'], all), matchKeys(['g', 'x'], all)]).toEqual([null, null]);
  });
});
