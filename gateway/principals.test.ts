import { describe, expect, it } from 'vitest';
import { ORGANIZATION, SECRETS, workspaceNamed } from './http/gateway.fixture.ts';
import { PRINCIPALS, principal } from './principals.ts';

const workspace = workspaceNamed('own');

describe('principal', () => {
  it('acts in commands under its own id, as the kind of its table entry', () => {
    expect(principal('project', { id: 'credential', workspace }).actor).toEqual({
      kind: 'agent',
      id: 'credential',
    });
    expect(principal('none', { id: null }).actor).toEqual({ kind: 'visitor', id: 'anonymous' });
  });

  it('acts for an organization only as a member with a role', () => {
    const known = { id: 'user', personKey: 'person', sessionDigest: 'digest', operator: false } as const;
    const person = principal('console', { ...known, organizationId: ORGANIZATION, role: 'member' });
    expect(person.actor).toEqual({ kind: 'user', id: 'user', organizationId: ORGANIZATION });
    const key = { organizationId: ORGANIZATION, keyId: 'key', mode: 'test' } as const;
    const caller = principal('limiter', { id: 'key', organizationId: ORGANIZATION, key });
    expect(caller.actor).toEqual({ kind: 'agent', id: 'key' });
  });

  it('has no workspace, origin, role or owned name that its authenticator did not give', () => {
    const { workspace: own, owned, origin, organizationId, role, operator } = principal('none', { id: null });
    expect([own, owned, origin, organizationId, role, operator]).toEqual([null, {}, null, null, null, false]);
  });
});

describe('PRINCIPALS', () => {
  it.each([
    ['project', SECRETS.project],
    ['upload', SECRETS.upload],
    ['capability', SECRETS.capability],
    ['session', SECRETS.import],
    ['progress', SECRETS.progress],
  ] as const)('knows the credentials of a %s, and no others, by their form', (kind, secret) => {
    const accepting = Object.entries(PRINCIPALS).filter(
      ([, { credential }]) => credential.form === 'bearer' && credential.isOne(secret),
    );
    expect(accepting.map(([name]) => name)).toEqual([kind]);
  });
});
