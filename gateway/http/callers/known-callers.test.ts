import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { secretFrom } from '../../../schemas/base/secrets.ts';
import { principal } from '../../principals.ts';
import { bytesOf, HOSTS, ORGANIZATION, SECRETS, workspaceNamed } from '../gateway.fixture.ts';
import { createClientAddresses } from './addresses.ts';
import { KnownCallers } from './known-callers.ts';

const ADDRESS = '203.0.113.7';
const REMEMBERED_MAX = 10_000;

function callers(): KnownCallers {
  return new KnownCallers(createClientAddresses({ trustedProxies: [], secret: 'secret' }), HOSTS);
}

function carrying(headers: Readonly<Record<string, string>>): IncomingMessage {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return { headers, headersDistinct, socket: { remoteAddress: ADDRESS } } as unknown as IncomingMessage;
}

const bearing = (secret: string) => carrying({ authorization: `Bearer ${secret}` });
const project = (differing: Parameters<typeof workspaceNamed>[1] = {}) =>
  principal('project', { id: 'credential', workspace: workspaceNamed('own', differing) });

describe('KnownCallers', () => {
  it('names the organization of an accepted credential, whatever surrounds it', () => {
    const known = callers();
    known.accepted(bearing(SECRETS.project), project());
    for (const header of ['Bearer ', 'bearer   ', 'Bearer  ', '']) {
      expect(known.holderOf(carrying({ authorization: header + SECRETS.project }))).toBe(ORGANIZATION);
    }
  });

  it('names the creator of a preview', () => {
    const known = callers();
    known.accepted(bearing(SECRETS.project), project({ organizationId: null, creator: 'creator' }));
    expect(known.holderOf(bearing(SECRETS.project))).toBe('creator');
  });

  it('names the organization of a session, beside a credential that was made up', () => {
    const known = callers();
    const cookie = `svc_session_8787=${SECRETS.session}`;
    const person = { personKey: 'person', sessionDigest: 'digest', role: 'owner', operator: false } as const;
    known.accepted(
      carrying({ cookie }),
      principal('console', { id: 'user', organizationId: ORGANIZATION, ...person }),
    );
    expect(known.holderOf(carrying({ cookie, authorization: 'Bearer made-up' }))).toBe(ORGANIZATION);
  });

  it('names the address of a credential that was not accepted, or differs in a character', () => {
    const known = callers();
    known.accepted(bearing(SECRETS.project), project());
    for (const headers of [
      {},
      { authorization: `Bearer ${SECRETS.project}x` },
      { authorization: `Bearer ${SECRETS.project.slice(1)}` },
      { cookie: `svc_session_8787=${SECRETS.session}` },
    ]) {
      expect(known.holderOf(carrying(headers))).toBe(ADDRESS);
    }
  });

  it('notes no header of a caller that the path names', () => {
    const known = callers();
    const widget = { id: 'widget', owned: {}, workspace: workspaceNamed('own') };
    known.accepted(bearing('made-up'), principal('widget', widget as never));
    expect(known.holderOf(bearing('made-up'))).toBe(ADDRESS);
  });

  it('keeps a bounded number of credentials', () => {
    const known = callers();
    const first = secretFrom('project', bytesOf('first'));
    known.accepted(bearing(first), project());
    for (let index = 0; index < REMEMBERED_MAX; index += 1) {
      known.accepted(bearing(secretFrom('project', bytesOf(`${index}`))), project());
    }
    expect(known.holderOf(bearing(first))).toBe(ADDRESS);
  });
});
