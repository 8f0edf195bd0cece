import type { WorkspaceRoot } from '../../schemas/workspaces/documents.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';

/** The commands that give every product its copy of the workspace's lifecycle. */
export function lifecycleEffects(workspace: WorkspaceRoot, { aggregate, sequence }: FoldContext): Effect[] {
  const input = lifecycleOf(workspace, sequence);
  return LIFECYCLE_TOPICS.map((topic) => ({
    kind: 'command',
    topic,
    key: aggregate,
    type: 'lifecycle',
    input,
  }));
}

/** The topics of the products that keep a copy of the lifecycle. */
const LIFECYCLE_TOPICS = ['imports', 'activate'] as const;

function lifecycleOf(workspace: WorkspaceRoot, version: number): Lifecycle {
  if (workspace.state === 'erased') {
    return { version, state: 'erased', plan: 'preview', expiresAt: null, products: [] };
  }
  const { state, plan, expiresAt, products } = workspace;
  return { version, state, plan, expiresAt, products };
}
