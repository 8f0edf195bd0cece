import { EXAMPLES } from '../http/example-values.ts';

const { workspaceId, installationId, endsAt } = EXAMPLES;

/** The example of a workspace, with what all answers about workspaces say of it. */
export const WORKSPACE_SUMMARY = {
  workspaceId,
  installationId,
  name: 'Orders',
  cohort: 'external' as const,
  products: ['svcactivate' as const, 'svcimport' as const],
  state: 'preview' as const,
  plan: 'preview' as const,
  expiresAt: endsAt,
};
