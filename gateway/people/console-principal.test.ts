import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import type { OrganizationDocument } from '../../schemas/organizations/documents.ts';
import type { PersonDocument } from '../../schemas/people/documents.ts';
import { requestWith, type Stored, servicesReading } from '../http/records/stored.fixture.ts';
import { consolePrincipal } from './console-principal.ts';

const NOW = Date.UTC(2026, 10, 21);
const secret = secretFrom('session', Buffer.alloc(32, 1));
const sessionDigest = secretDigest(secret);
const personKey = sha256Hex('person');
const userId = idFrom('user', Buffer.alloc(15));
const organizationId = idFrom('organization', Buffer.alloc(15));

const person: PersonDocument = {
  userId,
  createdAt: 0,
  identityBlob: 'blob',
  organizationIds: [organizationId],
  sessions: [{ digest: sessionDigest, createdAt: 0, expiresAt: NOW + 1, organizationId }],
  reset: null,
  lastSeenAt: null,
};

const organization: OrganizationDocument = {
  name: 'Example',
  state: 'active',
  operator: false,
  createdAt: 0,
  members: 1,
  owners: 1,
  openInvitations: [],
};
const member = { kind: 'member', id: userId, document: { personKey, role: 'admin', joinedAt: 0 } };

function authenticate(
  people: PersonDocument | null,
  organizations: Stored = { root: organization, rows: [member] },
  now = NOW,
) {
  const services = servicesReading(
    { [`people/${personKey}`]: { root: people }, [`organizations/${organizationId}`]: organizations },
    { target: { personKey }, now },
  );
  return consolePrincipal(requestWith('cookie', `svc_session=${secret}`), services);
}

describe('a console session that a look-up still points to', () => {
  it('is who the person and the organization say it is', async () => {
    expect(await authenticate(person)).toEqual({
      kind: 'console',
      id: userId,
      actor: { kind: 'user', id: userId, organizationId },
      workspace: null,
      owned: {},
      origin: null,
      personKey,
      sessionDigest,
      organizationId,
      role: 'admin',
      operator: false,
    });
  });

  it('is no principal once the person does not hold it any more', async () => {
    await expect(authenticate({ ...person, sessions: [] })).rejects.toMatchObject({
      refusal: { code: 'session_required' },
    });
    await expect(authenticate(null)).rejects.toMatchObject({ refusal: { code: 'session_required' } });
  });

  it('is no principal at its end', async () => {
    await expect(authenticate(person, undefined, NOW + 1)).rejects.toMatchObject({
      refusal: { code: 'session_required' },
    });
  });

  it('is no principal once the organization does not know the person, or was released', async () => {
    await expect(authenticate(person, { root: organization })).rejects.toMatchObject({
      refusal: { code: 'membership_ended' },
    });
    const released = { root: { ...organization, state: 'released' }, rows: [member] };
    await expect(authenticate(person, released)).rejects.toMatchObject({
      refusal: { code: 'membership_ended' },
    });
  });
});
