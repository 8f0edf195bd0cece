import { describe, expect, it } from 'vitest';
import { ownAddress, placeName } from './own-address.ts';

const ORIGIN = 'https://console.example.com';

describe('ownAddress', () => {
  it.each([
    ['/keys?state=revoked#one', '/keys?state=revoked#one'],
    [`${ORIGIN}/audit`, '/audit'],
    ['//evil.example/keys', '/agent-workspaces'],
    ['https://evil.example', '/agent-workspaces'],
    ['/\\evil.example', '/agent-workspaces'],
    ['javascript:alert(1)', '/agent-workspaces'],
    [null, '/agent-workspaces'],
  ])('turns %s into %s', (wanted, address) => {
    expect(ownAddress(wanted, ORIGIN)).toBe(address);
  });
});

describe('placeName', () => {
  it('names the part of an address, and none for the home page', () => {
    expect([
      placeName('/agent-workspaces/claim'),
      placeName('/agent-workspaces/wks_1'),
      placeName('/agent-workspaces'),
    ]).toEqual(['the claim', 'the workspace', null]);
  });
});
