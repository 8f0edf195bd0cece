import { describe, expect, it } from 'vitest';
import { requestWith } from '../http/records/stored.fixture.ts';
import { JOURNEY_MS, readJourney, startedJourneyCookies } from './oidc-cookie.ts';

const hosts = { console: 'http://127.0.0.1:8787' };
const keys = { secret: 'one', previous: null, identity: 'two' };
const now = 0;

/** A state as long as those of the client library. */
const stateOf = (name: string) => name.padEnd(43, '-');

function start(name: string, { cookies = '', returnTo = '/', at = now } = {}) {
  const journey = { state: stateOf(name), nonce: 'n', codeVerifier: 'v', returnTo, endsAt: at + JOURNEY_MS };
  return startedJourneyCookies(requestWith('cookie', cookies), hosts, keys, journey);
}

const cookieOf = (name: string) => start(name)[0]?.split(';', 1)[0] ?? '';

const read = (cookie: string, name: string) =>
  readJourney(requestWith('cookie', cookie), hosts, keys, { state: stateOf(name), now });

/** Plays a browser that starts one sign-in after the other. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  start(name: string, { returnTo = '/', at = now } = {}): void {
    for (const line of start(name, { cookies: this.cookies, returnTo, at })) {
      const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(cookie);
      else this.#cookies.set(cookie, value);
    }
  }

  holds(name: string): boolean {
    return read(this.cookies, name) !== null;
  }
}

describe('readJourney', () => {
  it.each([
    ['the only cookie', cookieOf('one'), true],
    ['one among others', `a=b; ${cookieOf('two')}; ${cookieOf('one')}; c=d`, true],
    ['two of one name', `${cookieOf('one')}; ${cookieOf('one')}`, false],
    ['another one', cookieOf('two'), false],
    ['another one under its name', cookieOf('two').replace('two', 'one'), false],
    ['a mistyped one', `${cookieOf('one')}~`, false],
    ['none', 'a=b', false],
  ])('of %s', (_what, cookie, isFound) => {
    expect(read(cookie, 'one') !== null).toBe(isFound);
  });

  it('reads the cookie of the release before, which has no state in its name', () => {
    const cookie = cookieOf('one').replace(/^svc_oidc_8787_[^=]+/, 'svc_oidc_8787');
    expect([read(cookie, 'one')?.state, read(cookie, 'two')]).toEqual([stateOf('one'), null]);
  });
});

describe('startedJourneyCookies', () => {
  it('keeps the journeys of eight tabs, and ends the oldest beyond them', () => {
    const browser = new Browser();
    for (let tab = 0; tab < 9; tab += 1) browser.start(`tab${tab}`, { at: tab });
    expect([browser.holds('tab0'), browser.holds('tab1'), browser.holds('tab8')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('leaves most of the headers of a request to others, however long the paths to open are', () => {
    const browser = new Browser();
    const returnTo = `/${'x'.repeat(2_000)}`;
    for (let tab = 0; tab < 9; tab += 1) browser.start(`tab${tab}`, { at: tab, returnTo });
    expect(browser.cookies.length).toBeLessThan(6 * 1_024 + 100);
    expect([browser.holds('tab6'), browser.holds('tab8')]).toEqual([false, true]);
  });

  it('ends what is no journey of this service, and leaves cookies of services at other ports', () => {
    const foreign = `svc_oidc_8787_${'f'.repeat(16)}`;
    const cookies = `${foreign}=x.y; svc_oidc_9999_${'g'.repeat(16)}=x.y; svc_session_8787=z`;
    expect(start('one', { cookies }).slice(1)).toEqual([
      `${foreign}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
  });
});
