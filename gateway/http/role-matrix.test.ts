import { globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../schemas/organizations/documents.ts';
import { type RunningGateway, SECRETS, startGateway, workspaceNamed } from './gateway.fixture.ts';
import type { Route } from './routing/route.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'member'];

/**
 * The role matrix (infra/docs/reference/people.md#roles), written down once more: a route that moves in it has to
 * move here as well.
 */
const MATRIX: Readonly<Record<Role, readonly string[]>> = {
  // Every member: metadata, counts, and what is one's own.
  member: [
    'listWorkspaces',
    'readWorkspace',
    'readWorkspaceOverview',
    'listWorkspaceOverviews',
    'searchOrganization',
    'readSession',
    'switchSession',
    'listSessions',
    'endSession',
    'changePassword',
    'changeEmail',
    'leaveOrganization',
    'erasePerson',
    'listMembers',
    'removeMember',
    'listWorkspaceSchemas',
    'readWorkspaceSchema',
    'listSchemaRevisions',
    'listWorkspaceImports',
    'readWorkspaceImport',
    'readImportProvenance',
    'listWorkspaceChecklists',
    'readWorkspaceChecklist',
    'readWorkspaceChecklistSummary',
    'exportChecklist',
    'listWidgets',
    'listWorkspaceCheckOrigins',
    'listWorkspaceAccessProfiles',
    'listWorkspaceCheckSuites',
    'listWorkspaceCheckRuns',
    'readWorkspaceCheckRun',
    'listKeys',
    'listKeyOverviews',
    'readKeyUsage',
    'readKeyWindow',
    'readSubscription',
  ],
  // Owners and admins besides: whatever changes something, private rows, secrets, approvals.
  admin: [
    'inspectClaim',
    'readClaimDetails',
    'attachClaim',
    'claimWorkspace',
    'pauseWorkspace',
    'resumeWorkspace',
    'disconnectWorkspace',
    'createCredential',
    'rotateCredential',
    'revokeCredential',
    'setMemberRole',
    'createInvitation',
    'revokeInvitation',
    'listCapabilities',
    'createCapability',
    'revokeCapability',
    'readImportSource',
    'readImportRows',
    'searchImportRows',
    'readImportErrors',
    'downloadImportErrors',
    'reserveWorkspaceImport',
    'mapWorkspaceImport',
    'validateWorkspaceImport',
    'approveImport',
    'cancelWorkspaceImport',
    'eraseImport',
    'eraseSubject',
    'createWorkspaceCheckOrigin',
    'confirmWorkspaceCheckOrigin',
    'createWorkspaceCheckSuite',
    'createWorkspaceCheckRun',
    'readCheckScreenshot',
    'listSubmissions',
    'moveSubmission',
    'removeSubmission',
    'listAuditEntries',
    'createKey',
    'changeKey',
    'rotateKey',
    'readDeniedWindows',
    'resetKeyWindow',
    'revokeKey',
    'subscribe',
  ],
  // Owners alone: erasing a workspace, passwords of others, and cancelling what is paid for.
  owner: [
    'eraseWorkspace',
    'offerReset',
    'offerOperatorReset',
    'cancelSubscription',
    'readOperationsSummary',
    'listTopics',
    'readOperationsHistory',
    'readActivity',
    'readSwitches',
    'setSwitches',
    'changeSwitches',
    'listDeadLetters',
    'readDeadLetter',
    'replayDeadLetter',
    'discardDeadLetter',
  ],
};

const ALLOWED: Readonly<Record<Role, ReadonlySet<string>>> = {
  member: new Set(MATRIX.member),
  admin: new Set([...MATRIX.member, ...MATRIX.admin]),
  owner: new Set([...MATRIX.member, ...MATRIX.admin, ...MATRIX.owner]),
};

const modules = globSync(join(import.meta.dirname, '../*/routes.ts')).map(
  (path): Promise<Record<string, unknown>> => import(/* @vite-ignore */ path),
);
/** Of every folder of the gateway, so that no product is forgotten. */
const consoleRoutes = (await Promise.all(modules))
  .flatMap((module) => Object.values(module))
  .flatMap((routes) => (Array.isArray(routes) ? (routes as Route[]) : []))
  .filter(({ principal }) => principal === 'console');

describe('the role matrix', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway(consoleRoutes);
    running.world.operator = true;
    running.world.counters = () => ({ allowed: true, remaining: 1, resetAt: 0 });
  });
  afterAll(() => running.close());

  it('names every route of the console once', () => {
    const named = Object.values(MATRIX).flat();
    expect([...named].sort()).toEqual(consoleRoutes.map(({ name }) => name).sort());
  });

  it('shows pages for operators to operators only', async () => {
    running.world.role = 'owner';
    running.world.operator = false;
    for (const { method, path } of consoleRoutes.filter(({ operator }) => operator === true)) {
      const headers = { cookie: `svc_session_8787=${SECRETS.session}`, origin: 'http://127.0.0.1:8787' };
      expect((await running.send({ method, path, headers })).status).toBe(404);
    }
    running.world.operator = true;
  });

  const cases = consoleRoutes.flatMap((route) => ROLES.map((role) => [route.name, role, route] as const));
  it.each(cases)('%s as %s', async (name, role, route) => {
    running.world.role = role;
    const path = route.path
      .replace(':workspaceId', workspaceNamed('own').workspaceId)
      .replaceAll(/:[A-Za-z]+/g, 'something');
    const { status, body } = await running.send({
      method: route.method,
      path,
      headers: { cookie: `svc_session_8787=${SECRETS.session}`, origin: 'http://127.0.0.1:8787' },
    });
    const byRole = status === 403 && body.error?.message.startsWith('caller.role: ') === true;
    expect(byRole).toBe(!ALLOWED[role].has(name));
  });
});
