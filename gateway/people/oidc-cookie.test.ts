import { describe, expect, it } from 'vitest';
import { requestWith } from '../http/records/stored.fixture.ts';
import { JOURNEY_MS, journeyCookie, readJourney } from './oidc-cookie.ts';

const hosts = { console: 'http://127.0.0.1:8787' };
const keys = { secret: 'one', previous: null, identity: 'two' };

function cookieOf(state: string): string {
  const journey = { state, nonce: 'n', codeVerifier: 'v', returnTo: '/', endsAt: JOURNEY_MS };
  return journeyCookie(hosts, keys, journey).split(';', 1)[0] ?? '';
}

describe('readJourney', () => {
  it.each([
    ['the only cookie', cookieOf('one'), 'one'],
    ['one among others', `a=b; ${cookieOf('one')}; c=d`, 'one'],
    ['two of one name', `${cookieOf('one')}; ${cookieOf('two')}`, undefined],
    ['a mistyped one', `${cookieOf('one')}~`, undefined],
    ['none', 'a=b', undefined],
  ])('of %s', (_what, cookie, expected) => {
    expect(readJourney(requestWith('cookie', cookie), hosts, keys, 0)?.state).toBe(expected);
  });
});
