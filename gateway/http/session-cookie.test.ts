import { describe, expect, it } from 'vitest';
import { secretFrom } from '../../schemas/base/secrets.ts';
import { endedSessionCookie, sessionCookie, sessionSecret } from './session-cookie.ts';
import { requestWith } from './stored.fixture.ts';

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
      `svc_session=${secret}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });

  it('is taken away with the same attributes', () => {
    expect(endedSessionCookie(https)).toBe(
      '__Host-svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
  });
});

describe('sessionSecret', () => {
  it.each([
    ['the only cookie', `svc_session=${secret}`, secret],
    ['one among others', `a=b; svc_session=${secret};c=d`, secret],
    ['the one of HTTPS on HTTP', `__Host-svc_session=${secret}`, null],
    ['another name that ends alike', `xsvc_session=${secret}`, null],
    ['two of one name', `svc_session=${secret}; svc_session=${other}`, null],
    ['a mistyped one', `svc_session=${secret.slice(0, -1)}~`, null],
    ['another kind of secret', `svc_session=${secretFrom('claim', Buffer.alloc(32))}`, null],
    ['none', 'a=b', null],
  ])('of %s', (_what, cookie, expected) => {
    expect(sessionSecret(requestWith('cookie', cookie), http)).toBe(expected);
  });
});
