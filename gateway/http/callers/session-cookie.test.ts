import { describe, expect, it } from 'vitest';
import { secretFrom } from '../../../schemas/base/secrets.ts';
import { requestWith } from '../records/stored.fixture.ts';
import { carriedSessions, endedSessionCookies, sessionCookie, sessionSecret } from './session-cookie.ts';

const secret = secretFrom('session', Buffer.alloc(32, 1));
const other = secretFrom('session', Buffer.alloc(32, 2));
const http = { console: 'http://127.0.0.1:8787' };
const https = { console: 'https://console.example' };

describe('sessionCookie', () => {
  it('is bound to the host over HTTPS', () => {
    expect(sessionCookie(https, secret, 60_000)).toBe(
      `__Host-svc_session=${secret}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(sessionCookie(http, secret, 60_000)).toBe(
      `svc_session_8787=${secret}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });

  it('has the port in its name, because cookies are those of all ports of a machine', () => {
    const other = { console: 'https://console.example:8443' };
    expect(sessionCookie(other, secret, 60_000)).toMatch(/^__Host-svc_session_8443=/);
    expect(sessionCookie({ console: 'http://console.example' }, secret, 60_000)).toMatch(/^svc_session=/);
  });

  it('is taken away with the same attributes', () => {
    expect(endedSessionCookies(requestWith('cookie', ''), https)).toEqual([
      '__Host-svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  it('is taken away with the one that an earlier release has named without the port', () => {
    const names = (cookie: string) =>
      endedSessionCookies(requestWith('cookie', cookie), http).map((each) => each.split('=')[0]);
    expect(names(`svc_session_8787=${secret}`)).toEqual(['svc_session_8787']);
    expect(names(`svc_session=${other}; svc_session_8787=${secret}`)).toEqual([
      'svc_session_8787',
      'svc_session',
    ]);
  });
});

describe('sessionSecret', () => {
  it.each([
    ['the only cookie', `svc_session_8787=${secret}`, secret],
    ['one among others', `a=b; svc_session_8787=${secret};c=d`, secret],
    ['the only one, without a port', `svc_session=${secret}`, secret],
    ['one with a port and one without', `svc_session_8787=${secret}; svc_session=${other}`, secret],
    ['two with a port and one without', `svc_session_8787=a; svc_session_8787=b; svc_session=${other}`, null],
    ['the one of HTTPS on HTTP', `__Host-svc_session_8787=${secret}`, null],
    ['another name that ends alike', `xsvc_session_8787=${secret}`, null],
    ['two of one name', `svc_session_8787=${secret}; svc_session_8787=${other}`, null],
    ['a mistyped one', `svc_session_8787=${secret.slice(0, -1)}~`, null],
    ['another kind of secret', `svc_session_8787=${secretFrom('claim', Buffer.alloc(32))}`, null],
    ['none', 'a=b', null],
  ])('of %s', (_what, cookie, expected) => {
    expect(sessionSecret(requestWith('cookie', cookie), http)).toBe(expected);
  });
});

describe('carriedSessions', () => {
  it.each([
    ['both names', `svc_session_8787=${secret}; svc_session=${other}`, [secret, other]],
    ['two of one name', `svc_session_8787=${secret}; svc_session_8787=${other}`, [secret, other]],
    ['the same one twice', `svc_session_8787=${secret}; svc_session=${secret}`, [secret]],
    ['a mistyped one', `svc_session_8787=a; svc_session=${other}`, [other]],
    ['none', 'a=b', []],
  ])('of %s', (_what, cookie, expected) => {
    expect(carriedSessions(requestWith('cookie', cookie), http)).toEqual(expected);
  });

  it('are a bounded number', () => {
    const secrets = Array.from({ length: 9 }, (_, index) => secretFrom('session', Buffer.alloc(32, index)));
    const cookie = secrets.map((each) => `svc_session=${each}`).join('; ');
    expect(carriedSessions(requestWith('cookie', cookie), http)).toEqual(secrets.slice(0, 4));
  });
});
