import { ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { workspaceOf } from '../../../schemas/base/ids.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import {
  CLAIMS_ROW,
  claimsDocumentSchema,
  organizationDocumentSchema,
} from '../../../schemas/organizations/documents.ts';
import { matchClaim } from '../../../schemas/workspaces/claim-link.ts';
import { claimCodeTargetSchema, type WorkspaceDocument } from '../../../schemas/workspaces/documents.ts';
import {
  attachClaimRequestSchema,
  claimInspectionSchema,
  claimLinkAnswerSchema,
  claimLinkRequestSchema,
  consoleWorkspaceSchema,
  inspectClaimRequestSchema,
} from '../../../schemas/workspaces/http.ts';
import { claimDetailsSchema } from '../../../schemas/workspaces/overview.ts';
import { workspaceRefusal } from '../../../schemas/workspaces/state.ts';
import { agent, owner } from '../../audiences.ts';
import { creationSecret } from '../../http/records/derive.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { confirmCode, isConfirmCode } from '../confirm-code.ts';
import { consoleWorkspaceAnswer } from '../console-answer.ts';
import { workspaceContents } from '../contents.ts';
import { limitsInUse } from '../limits-in-use.ts';
import { readWorkspace } from '../load-workspace.ts';
import { readProvedOrigins } from '../proved-origins.ts';
import { readProducts } from '../read-products.ts';
import { NOTHING_VERIFIED } from './change-workspace.ts';

export const openClaimLinkRoute = agent.post('/workspace/claim-link', {
  name: 'openClaimLink',
  summary: 'Open a claim link and end the previous one',
  description:
    'Opens a link with which a person attaches the preview to an organization. Give the link and the confirm code to that person. Each request ends the link before it.',
  body: json(claimLinkRequestSchema),
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: claimLinkAnswerSchema,
    description: 'The link, and the code to show beside it',
  },
  errors: ['forbidden', 'state_conflict', 'gone'],
  noStore: true,
  async handle({ principal, body, idempotencyKey, services, submit }) {
    const { installationId } = principal.workspace;
    const provisionDigest = secretDigest(body.provisionToken);
    const made = creationSecret(services, 'claim', idempotencyKey, ['openClaimLink', installationId]);
    const { digest, expiresAt } = await submit({
      topic: 'workspaces',
      key: installationId,
      type: 'claim-link',
      digestInput: { provisionDigest },
      input: { provisionDigest, claimDigest: made.digest },
    });
    const code = made.again(digest);
    return {
      body: {
        claimUrl: `${services.hosts.console}/agent-workspaces/claim#${code}`,
        confirmCode: confirmCode(services.secrets, code),
        expiresAt: isoTime(expiresAt),
      },
    };
  },
});

export const inspectClaimRoute = owner.post('/claims/inspect', {
  name: 'inspectClaim',
  summary: 'See what is behind a claim link, without using it up',
  description: 'Returns the workspace behind a claim link, without using the link up.',
  body: json(inspectClaimRequestSchema),
  success: { status: 200, schema: claimInspectionSchema, description: 'What the workspace holds' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  recordsRead: { action: 'workspaces.inspect-claim' },
  async handle({ principal, body, services }) {
    const { installationId, workspace } = await findClaim(services, body.code, principal.organizationId);
    const { contents, unreadable } = await workspaceContents(services, installationId, workspace);
    const claimable = contents.results.length > 0;
    return {
      readInstallationId: installationId,
      unreadable,
      body: {
        workspaceId: workspaceOf(installationId),
        name: workspace.name,
        cohort: workspace.cohort,
        createdAt: isoTime(workspace.createdAt),
        expiresAt: isoTimeOrNull(workspace.expiresAt),
        ...contents,
        claimable,
        reason: claimable ? null : NOTHING_VERIFIED,
      },
    };
  },
});

export const readClaimDetailsRoute = owner.post('/claims/details', {
  name: 'readClaimDetails',
  summary: 'See the resources behind a claim link and the end of the link',
  description:
    'Returns the resources behind a claim link, the use of the limits and the end of the link, without using the link up.',
  body: json(inspectClaimRequestSchema),
  success: { status: 200, schema: claimDetailsSchema, description: 'The details' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  recordsRead: { action: 'workspaces.inspect-claim' },
  async handle({ principal, body, services }) {
    const { installationId, workspace } = await findClaim(services, body.code, principal.organizationId);
    const [resources, proved, limits, claimed] = await Promise.all([
      namedResources(services, installationId),
      readProvedOrigins(services, installationId),
      limitsInUse(services, installationId, workspace),
      claimedWorkspaces(services, principal.organizationId),
    ]);
    return {
      readInstallationId: installationId,
      unreadable: [resources, proved, limits].flatMap((part) => part.unreadable),
      body: {
        workspaceId: workspaceOf(installationId),
        attached: workspace.attachment !== null,
        linkExpiresAt: isoTimeOrNull(workspace.claimLink?.expiresAt ?? null),
        attemptsLeft: workspace.claimLink?.attemptsLeft ?? null,
        resources: resources.found.map(({ kind, id, name, allowedOrigins }) => {
          return { kind, id, name, allowedOrigins };
        }),
        provedOrigins: [...proved.origins],
        limits: limits.limits,
        claimed,
      },
    };
  },
});

/** The checklists and import schemas of a workspace. */
async function namedResources(services: GatewayServices, installationId: string) {
  return await readProducts(services.products, ({ readResources }) =>
    readResources?.(services, installationId),
  );
}

/** The claimed workspaces of an organization, against its limit. */
async function claimedWorkspaces({ store, limits }: GatewayServices, organizationId: string) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, [CLAIMS_ROW]);
  const claims = row(CLAIMS_ROW.kind, CLAIMS_ROW.id, claimsDocumentSchema);
  return { used: claims?.workspaces.length ?? 0, limit: limits.workspace.claimedPerOrganization };
}

export const attachClaimRoute = owner.post('/claims/attach', {
  name: 'attachClaim',
  summary: 'Attach the workspace of a claim link to the organization',
  description:
    'Attaches the workspace to the organization of the session and uses the link up. The preview stays a preview until it is claimed. After too many wrong confirm codes the link has expired.',
  body: json(attachClaimRequestSchema),
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace, attached' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  async handle({ principal, body, services, submit }) {
    const { code, confirm } = body;
    const installationId = await installationOfClaim(services, code);
    await submit({
      topic: 'organizations',
      key: principal.organizationId,
      type: 'attach',
      digestInput: { workspaceId: workspaceOf(installationId) },
      input: {
        installationId,
        claimDigest: secretDigest(code),
        confirmed: isConfirmCode(services.secrets, code, confirm),
      },
    });
    return await consoleWorkspaceAnswer(services, installationId);
  },
});

/**
 * The installation in the index entry of a claim code. The workspace decides if the code is still valid.
 *
 * @throws {ServiceError} `not_found` for a code without an index entry.
 */
async function installationOfClaim(
  { digestIndex }: Pick<GatewayServices, 'digestIndex'>,
  code: string,
): Promise<string> {
  const target = await digestIndex.get({ kind: 'claim-code', digest: secretDigest(code) });
  if (target === null) throw claimEnded();
  return readStored(claimCodeTargetSchema, target).installationId;
}

/**
 * The workspace of a claim code, for a member of this organization. It does not use up the code.
 *
 * @throws {ServiceError} `not_found` for a code that is unknown or has ended, `state_conflict` for a workspace that
 *   another organization has attached, `expired` and `workspace_disconnected` for one that has ended.
 */
async function findClaim(
  services: Pick<GatewayServices, 'digestIndex' | 'store' | 'clock'>,
  code: string,
  organizationId: string,
): Promise<{ installationId: string; workspace: WorkspaceDocument }> {
  const installationId = await installationOfClaim(services, code);
  const workspace = await readWorkspace(services.store, installationId);
  if (workspace === null) throw claimEnded();
  const now = services.clock.now();
  const match = matchClaim(workspace, secretDigest(code), now);
  if (match === 'ended') throw claimEnded();
  if (match === 'used' && workspace.attachment?.organizationId !== organizationId) {
    throw serviceError('state_conflict', {
      at: 'workspace.attachment',
      seen: 'a workspace that is attached to an organization',
      expected: 'one that is not',
    });
  }
  const ended = workspaceRefusal(workspace, now, 'allowed');
  if (ended !== null) throw new ServiceError(ended);
  return { installationId, workspace };
}

function claimEnded() {
  return serviceError('not_found', {
    at: 'body.code',
    seen: 'a claim link that does not exist or has expired',
    expected: 'an open one; ask for a new link',
  });
}
