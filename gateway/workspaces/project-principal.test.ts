import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom, workspaceOf } from '../../schemas/base/ids.ts';
import { lastFour, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import type { CredentialDocument, WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { requestWith, servicesReading } from '../http/records/stored.fixture.ts';
import { projectPrincipal } from './project-principal.ts';

const secret = secretFrom('project', Buffer.alloc(32, 1));
const installationId = idFrom('installation', Buffer.alloc(15));
const credentialId = idFrom('credential', Buffer.alloc(15));

const workspace: WorkspaceDocument = {
  name: 'Orders',
  cohort: 'external',
  products: ['svcimport'],
  state: 'preview',
  plan: 'preview',
  createdAt: 0,
  expiresAt: 1,
  claim: null,
  provisionDigest: sha256Hex('token'),
  claimLink: null,
  attachment: null,
  firstCredentialId: credentialId,
  extraCredentialIds: [],
};

const credential: CredentialDocument = {
  name: null,
  previous: null,
  digest: secretDigest(secret),
  number: 1,
  lastFour: lastFour(secret),
  createdAt: 0,
  revokedAt: null,
  lastUsedAt: null,
};

function authenticate(root: WorkspaceDocument | null, document: CredentialDocument | null, bearer = secret) {
  const rows = document === null ? [] : [{ kind: 'credential', id: credentialId, document }];
  const services = servicesReading(
    { [`workspaces/${installationId}`]: { root, rows } },
    { target: { installationId, credentialId } },
  );
  return projectPrincipal(requestWith('authorization', `Bearer ${bearer}`), services);
}

describe('a project credential with an index entry', () => {
  it('authenticates its workspace in any state', async () => {
    expect(await authenticate(workspace, credential)).toEqual({
      kind: 'project',
      id: credentialId,
      actor: { kind: 'agent', id: credentialId },
      owned: {},
      origin: null,
      organizationId: null,
      role: null,
      operator: false,
      workspace: {
        workspaceId: workspaceOf(installationId),
        installationId,
        name: 'Orders',
        organizationId: null,
        creator: null,
        state: 'preview',
        plan: 'preview',
        expiresAt: 1,
        products: ['svcimport'],
      },
    });
  });

  it('authenticates no caller after its revocation, rotation or erasure', async () => {
    expect(await authenticate(workspace, { ...credential, revokedAt: 1 })).toBeNull();
    expect(await authenticate(workspace, { ...credential, digest: sha256Hex('next') })).toBeNull();
    expect(await authenticate(workspace, null)).toBeNull();
    expect(await authenticate(null, credential)).toBeNull();
  });

  it('authenticates no caller with a secret of another kind', async () => {
    expect(await authenticate(workspace, credential, secretFrom('capability', Buffer.alloc(32)))).toBeNull();
  });
});
