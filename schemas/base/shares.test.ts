import { describe, expect, it } from 'vitest';
import { Shares } from './shares.ts';

describe('Shares', () => {
  it('leaves half to others when one holder takes what it can', () => {
    const shares = new Shares(100);
    let taken = 0;
    while (shares.take('greedy', 1) === 'taken') taken += 1;
    expect(taken).toBe(50);
    expect(shares.take('greedy', 1)).toBe('share-full');
    expect(shares.take('modest', 25)).toBe('taken');
  });

  it('leaves a greedy share to a newcomer beside several greedy holders', () => {
    const shares = new Shares(1_000);
    const greedy = ['a', 'b', 'c', 'd'];
    const take = (holder: string) => shares.take(holder, 1) === 'taken';
    while (greedy.filter(take).length > 0);
    expect(shares.take('modest', 200)).toBe('taken');
  });

  it('is full for a holder without units, and has room again for what was given back', () => {
    const shares = new Shares(2);
    expect(shares.take('a', 1)).toBe('taken');
    expect(shares.take('b', 1)).toBe('taken');
    expect(shares.take('c', 1)).toBe('full');
    shares.giveBack('a', 1);
    expect(shares.take('c', 1)).toBe('taken');
  });
});
