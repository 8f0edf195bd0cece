import { workspaceOf } from '../../schemas/base/ids.ts';
import { isoTimeOrNull } from '../../schemas/base/time.ts';
import {
  CLAIMS_ROW,
  claimsDocumentSchema,
  organizationDocumentSchema,
} from '../../schemas/organizations/documents.ts';
import { inspectClaimRequestSchema } from '../../schemas/workspaces/http.ts';
import { claimDetailsSchema } from '../../schemas/workspaces/overview.ts';
import { owner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { findClaim } from './find-claim.ts';
import { limitsInUse } from './limits-in-use.ts';

/** POST `/v1/console/claims/details`: what a person sees of a claim link besides the inspection. */
export const readClaimDetailsRoute = owner.post('/claims/details', {
  name: 'readClaimDetails',
  summary: 'See the resources behind a claim link and the end of the link',
  body: json(inspectClaimRequestSchema),
  success: { status: 200, schema: claimDetailsSchema, description: 'The details' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  recordsRead: { action: 'workspaces.inspect-claim' },
  async handle({ principal, body, services }) {
    const { installationId, workspace } = await findClaim(services, body.code, principal.organizationId);
    const [resources, limits, claimed] = await Promise.all([
      namedResources(services, installationId),
      limitsInUse(services, installationId, workspace),
      claimedWorkspaces(services, principal.organizationId),
    ]);
    return {
      readInstallationId: installationId,
      body: {
        workspaceId: workspaceOf(installationId),
        attached: workspace.attachment !== null,
        linkExpiresAt: isoTimeOrNull(workspace.claimLink?.expiresAt ?? null),
        attemptsLeft: workspace.claimLink?.attemptsLeft ?? null,
        resources,
        limits,
        claimed,
      },
    };
  },
});

/** The checklists and import schemas of a workspace. */
async function namedResources(services: GatewayServices, installationId: string) {
  const resources = await Promise.all(
    services.products.map(
      async ({ readResources }) => (await readResources?.(services, installationId)) ?? [],
    ),
  );
  return resources.flat().map(({ kind, id, name, allowedOrigins }) => ({ kind, id, name, allowedOrigins }));
}

/** The claimed workspaces of an organization, against its limit. */
async function claimedWorkspaces({ store, limits }: GatewayServices, organizationId: string) {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, [CLAIMS_ROW]);
  const claims = row(CLAIMS_ROW.kind, CLAIMS_ROW.id, claimsDocumentSchema);
  return { used: claims?.workspaces.length ?? 0, limit: limits.workspace.claimedPerOrganization };
}
