import { serviceError } from '../../../schemas/base/errors.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { mapCounters, PRODUCTS } from '../../../schemas/products.ts';
import {
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  workspaceChangeRequestSchema,
} from '../../../schemas/workspaces/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { workspaceOwner } from '../../audiences.ts';
import { readEach } from '../../http/records/readings.ts';
import { json } from '../../http/routing/audience.ts';
import { OWNER_ONLY } from '../../roles.ts';
import type { GatewayServices } from '../../services.ts';
import { consoleWorkspaceAnswer, shownRoot } from '../console-answer.ts';
import { verifiedResults } from '../contents.ts';
import { readWorkspace } from '../load-workspace.ts';
import { consoleAddress } from '../workspace-answers.ts';

export const claimWorkspaceRoute = workspaceOwner.post('/claim', {
  name: 'claimWorkspace',
  summary: 'Claim an attached preview for the organization',
  description:
    'Claims an attached preview that has at least one verified result: its plan becomes `free` and it no longer expires.',
  body: json(workspaceChangeRequestSchema),
  success: {
    status: 200,
    schema: consoleWorkspaceSchema,
    description: 'The workspace, claimed; the same again for a workspace that was claimed before',
  },
  errors: ['state_conflict', 'limit_reached', 'expired', 'workspace_disconnected'],
  async handle({ workspace, principal, services, submit }) {
    const { installationId, plan } = workspace;
    if (plan === 'preview') {
      const [latest] = (await verifiedResults(services, installationId)).found;
      if (latest === undefined)
        throw serviceError('state_conflict', {
          at: 'workspace',
          seen: 'nothing in it that has been verified',
          expected: VERIFIED_RESULTS,
        });
      await submit({
        topic: 'organizations',
        key: principal.organizationId,
        type: 'claim',
        input: { installationId, evidence: { kind: latest.kind, id: latest.id, at: latest.at } },
      });
    }
    return await consoleWorkspaceAnswer(services, installationId);
  },
});

const VERIFIED_RESULTS = PRODUCTS.map(({ verifiedResult }) => verifiedResult.text).join(' or ');

/** The reason why a workspace without a verified result cannot be claimed. */
export const NOTHING_VERIFIED = `Nothing in the workspace has been verified yet: ${VERIFIED_RESULTS}.`;

export const pauseWorkspaceRoute = changeRoute('pause', {
  summary: 'Pause a claimed workspace',
  description:
    'Pauses a claimed workspace: apart from the work of its owner, nothing enters or leaves it. A pause ends no credential and no session.',
});

export const resumeWorkspaceRoute = changeRoute('resume', {
  summary: 'Resume a paused workspace',
  description: 'Ends a pause. Everything works as before.',
});

function changeRoute(
  change: 'pause' | 'resume',
  texts: { readonly summary: string; readonly description: string },
) {
  return workspaceOwner.post(`/${change}`, {
    name: `${change}Workspace`,
    ...texts,
    body: json(workspaceChangeRequestSchema),
    success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace as it is now' },
    errors: ['state_conflict', 'expired', 'workspace_disconnected'],
    async handle({ workspace, services, submit }) {
      const { installationId } = workspace;
      await submit({ topic: 'workspaces', key: installationId, type: change, input: {} });
      return await consoleWorkspaceAnswer(services, installationId);
    },
  });
}

export const disconnectWorkspaceRoute = workspaceOwner.post('/disconnect', {
  name: 'disconnectWorkspace',
  summary: 'End collection and the access of agents for good',
  description: 'Ends collection and the access of agents for good. The data stays until it is erased.',
  whenEnded: 'allowed',
  body: json(confirmedChangeRequestSchema),
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace, disconnected' },
  errors: ['erased'],
  async handle({ workspace, body, services, submit }) {
    const view = workspace;
    requireName(view, body);
    const { installationId } = view;
    await submit({ topic: 'workspaces', key: installationId, type: 'disconnect', input: {} });
    return await consoleWorkspaceAnswer(services, installationId);
  },
});

/** Later requests of its owner get 410. Those of others get the same answer as for a workspace that never existed. */
export const eraseWorkspaceRoute = workspaceOwner.post('/erase', {
  name: 'eraseWorkspace',
  summary: 'Erase a workspace with everything in it',
  description: 'Erases the workspace with everything in it. This cannot be undone.',
  roles: OWNER_ONLY,
  whenEnded: 'allowed',
  whenUnreadable: 'allowed',
  body: json(confirmedChangeRequestSchema),
  success: {
    status: 200,
    schema: consoleWorkspaceSchema,
    description: 'What the workspace was, disconnected and empty; the last time that it is shown',
  },
  errors: ['erased'],
  async handle({ workspace, principal, body, services, submit }) {
    const view = workspace;
    requireName(view, body);
    const { installationId } = view;
    const last = await shownBefore(services, view);
    await submit({
      topic: 'organizations',
      key: principal.organizationId,
      type: 'erase-workspace',
      input: { installationId },
    });
    return { body: { ...last, state: 'disconnected', ...NOTHING } };
  },
});

/** The members of a workspace that its root has. If the root cannot be read, it is shown with its id alone. */
async function shownBefore(services: GatewayServices, view: WorkspaceView) {
  const { workspaceId, installationId, name } = view;
  const { found } = await readEach([installationId], String, (id) => readWorkspace(services.store, id));
  for (const root of found) return shownRoot(services, installationId, root);
  return {
    ...{ workspaceId, installationId, name, cohort: 'external' as const, products: [] },
    ...{ plan: view.plan, expiresAt: null, createdAt: isoTime(0), attachedAt: isoTime(0), claimedAt: null },
    console: consoleAddress(services.hosts, workspaceId),
    organizationId: view.organizationId ?? '',
  };
}

const NOTHING = {
  inventory: mapCounters(() => 0),
  results: [],
  credentials: [],
};

/**
 * Checks that a request that cannot be undone confirms the workspace's name.
 *
 * @throws {ServiceError} `bad_request` for any other text.
 */
function requireName({ name }: WorkspaceView, { confirm }: { readonly confirm: string }): void {
  if (confirm === name) return;
  throw serviceError('bad_request', {
    at: 'body.confirm',
    seen: 'another text',
    expected: 'the name of the workspace',
  });
}
