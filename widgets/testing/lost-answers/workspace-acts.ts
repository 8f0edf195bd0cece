import { confirm, type Ground, type Prepare, press } from './lost-act.ts';

const path = (workspaceId: string) => `/v1/console/workspaces/${workspaceId}`;
const page = (workspaceId: string) => `/agent-workspaces/${workspaceId}`;

/** The id of the credential that the agent of a workspace has. */
async function credentialOf({ read }: Ground, workspaceId: string): Promise<string> {
  return (await read(path(workspaceId))).credentials[0].credentialId;
}

const turn =
  (verb: 'Pause' | 'Resume', state: string, words: string): Prepare =>
  async ({ claimed, name, send, is }) => {
    const { workspaceId } = await claimed();
    if (verb === 'Resume') await send(`${path(workspaceId)}/pause`, {});
    return {
      at: page(workspaceId),
      press: (opened) => press(opened, verb),
      text: `${name} is ${words}`,
      shown: verb === 'Pause' ? 'Paused' : 'Active',
      counted: () => is(path(workspaceId), { state }),
    };
  };

/** The acts on workspaces and their credentials, by route. */
export const WORKSPACE_ACTS: Readonly<Record<string, Prepare>> = {
  pauseWorkspace: turn('Pause', 'paused', 'paused'),
  resumeWorkspace: turn('Resume', 'active', 'active again'),
  claimWorkspace: async ({ seeds, name, is }) => {
    const workspace = await seeds.workspace(name);
    await seeds.verifiedResult(workspace);
    const { workspaceId } = workspace;
    return {
      at: page(workspaceId),
      press: (opened) => press(opened, 'Claim workspace'),
      text: `${name} is claimed`,
      shown: 'Active',
      counted: () => is(path(workspaceId), { plan: 'free' }),
    };
  },
  attachClaim: async ({ seeds, name, count }) => {
    const link = await seeds.claimLink(await seeds.preview(name));
    return {
      at: `/claim${new URL(link.claimUrl).hash}`,
      press: async (opened) => {
        await opened.getByLabel('Confirm code').fill(link.confirmCode);
        await press(opened, 'Attach workspace');
      },
      text: /^Attached to/,
      counted: () => count('/v1/console/workspaces', 'workspaces', { name }),
    };
  },
  disconnectWorkspace: async ({ claimed, is }) => {
    const { workspaceId } = await claimed();
    return {
      at: page(workspaceId),
      press: confirm('Disconnect…', 'Disconnect workspace'),
      text: 'Disconnected',
      counted: () => is(path(workspaceId), { state: 'disconnected' }),
    };
  },
  eraseWorkspace: async ({ claimed, name, isRefused }) => {
    const { workspaceId } = await claimed();
    return {
      at: page(workspaceId),
      press: confirm('Erase…', 'Erase workspace'),
      text: `${name} is erased`,
      shown: 'This workspace was erased',
      counted: () => isRefused(path(workspaceId), 410),
    };
  },
  createCredential: async ({ seeds, name, count }) => {
    const { workspaceId } = await seeds.workspace(name);
    return {
      at: `${page(workspaceId)}?do=create-credential`,
      press: confirm(null, 'Create credential', { Name: name }),
      // The service derives the secret again.
      text: `Secret of “${name}”`,
      counted: () => count(path(workspaceId), 'credentials', { name }),
    };
  },
  rotateCredential: async (ground) => {
    const { workspaceId } = await ground.seeds.workspace(ground.name);
    const credentialId = await credentialOf(ground, workspaceId);
    return {
      at: `${page(workspaceId)}?rotate=${credentialId}`,
      press: confirm(null, 'Rotate credential'),
      text: 'Secret of “Agent”',
      counted: async () => (await ground.read(path(workspaceId))).credentials.length,
    };
  },
  revokeCredential: async (ground) => {
    const { workspaceId } = await ground.seeds.workspace(ground.name);
    return {
      at: page(workspaceId),
      press: confirm(/^Revoke Agent/, 'Revoke credential'),
      text: 'Agent is revoked',
      shown: 'Credentials',
      counted: async () => 1 - (await ground.count(path(workspaceId), 'credentials', { name: 'Agent' })),
    };
  },
};
