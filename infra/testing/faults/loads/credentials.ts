import { randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Customer } from '../customer.ts';
import type { Promised } from '../history.ts';
import {
  bodyOf,
  createWorkspace,
  granted,
  type Load,
  type Owner,
  WORKSPACE_ROOTS,
  type Workspace,
} from './load.ts';

/** One more than there may be, asked for at the same time. */
const CREDENTIALS_WISHED = DEFAULT_LIMITS.workspace.extraCredentials + 1;

const LINKS_MAX = 5;

interface ClaimLink {
  readonly claimUrl: string;
  readonly confirmCode: string;
}

interface MadeCredential {
  readonly credentialId: string;
  readonly credential: string;
}

/** People: a preview is attached to an organization, gets credentials up to its limit, and changes them. */
export const credentialsLoad: Load = {
  name: 'credentials',
  counted: [
    WORKSPACE_ROOTS,
    // The one without a name came with the workspace.
    { table: 'workspaces', kind: 'credential', counts: ({ name }) => name !== null },
  ],
  async tell(customer, owner) {
    const workspace = await createWorkspace(customer, []);
    await attach(customer, owner, workspace);
    const made = await createCredentials(customer, owner, workspace);
    const [first, second] = made;
    if (first !== undefined) await rotate(customer, owner, workspace, first);
    if (second !== undefined) await revoke(customer, owner, workspace, second);
  },
};

/** Opens a link and attaches with it. A link ends with the next one, and an opening without an answer may make that. */
export async function attach(customer: Customer, { cookie }: Owner, workspace: Workspace): Promise<void> {
  const { installationId } = workspace;
  for (let link = 1; link <= LINKS_MAX; link += 1) {
    const { claimUrl, confirmCode } = await openLink(customer, workspace);
    const code = new URL(claimUrl).hash.slice(1);
    const told = await customer.intent({
      name: 'attach',
      refusals: ['not_found'],
      request: {
        method: 'POST',
        path: '/v1/console/claims/attach',
        cookie,
        json: { code, confirm: confirmCode },
      },
      status: 200,
      promises: () => [
        {
          row: { table: 'workspaces', aggregate: installationId, kind: '', id: '' },
          says: { what: 'attached', holds: ({ attachment }) => attachment !== null },
        },
      ],
    });
    if (told.kind === 'acknowledged') return;
  }
  throw new Error(`attaching with ${LINKS_MAX} links`);
}

function openLink(customer: Customer, { provisionToken, credential }: Workspace): Promise<ClaimLink> {
  return granted<ClaimLink>(customer, {
    name: 'open claim link',
    // It has no key: the same request once more makes another link.
    repeated: false,
    request: {
      method: 'POST',
      path: '/v1/agent/workspace/claim-link',
      bearer: credential,
      json: { provisionToken },
    },
    status: 201,
    promises: () => [],
  });
}

async function createCredentials(
  customer: Customer,
  { cookie }: Owner,
  { workspaceId, installationId }: Workspace,
): Promise<MadeCredential[]> {
  const quota = {
    name: `credentials of ${installationId}`,
    limit: DEFAULT_LIMITS.workspace.extraCredentials,
  };
  const told = await Promise.all(
    Array.from({ length: CREDENTIALS_WISHED }, (_, index) =>
      customer.intent<MadeCredential>({
        name: 'create credential',
        quota,
        request: {
          method: 'POST',
          path: `/v1/console/workspaces/${workspaceId}/credentials`,
          cookie,
          json: { idempotencyKey: randomUUID(), name: `Backend ${index}` },
        },
        status: 201,
        promises: ({ credentialId }) => [{ row: credentialRow(installationId, credentialId) }],
      }),
    ),
  );
  return told.flatMap((answer) => (answer.kind === 'acknowledged' ? [answer.body] : []));
}

async function rotate(
  customer: Customer,
  { cookie }: Owner,
  { workspaceId, installationId }: Workspace,
  { credentialId }: MadeCredential,
): Promise<void> {
  const told = await customer.intent({
    name: 'rotate credential',
    request: {
      method: 'POST',
      path: `/v1/console/workspaces/${workspaceId}/credentials/${credentialId}/rotate`,
      cookie,
      json: { idempotencyKey: randomUUID(), overlapHours: 1 },
    },
    status: 201,
    promises: (): Promised[] => [
      {
        row: credentialRow(installationId, credentialId),
        says: { what: 'rotated once', holds: ({ number }) => number === 2 },
      },
    ],
  });
  bodyOf('rotate credential', told);
}

async function revoke(
  customer: Customer,
  { cookie }: Owner,
  { workspaceId, installationId }: Workspace,
  { credentialId }: MadeCredential,
): Promise<void> {
  await granted(customer, {
    name: 'revoke credential',
    request: {
      method: 'DELETE',
      path: `/v1/console/workspaces/${workspaceId}/credentials/${credentialId}`,
      cookie,
    },
    status: 204,
    promises: () => [
      {
        row: credentialRow(installationId, credentialId),
        says: { what: 'revoked', holds: ({ revokedAt }) => revokedAt !== null },
      },
    ],
  });
}

function credentialRow(installationId: string, credentialId: string) {
  return { table: 'workspaces', aggregate: installationId, kind: 'credential', id: credentialId } as const;
}
