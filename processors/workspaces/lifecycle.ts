import { PRODUCTS } from '../../schemas/products.ts';
import type { WorkspaceRoot } from '../../schemas/workspaces/documents.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import type { CommandHandler, Effect, FoldContext } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/** The commands that give every product its copy of the workspace's lifecycle. */
export function lifecycleEffects(workspace: WorkspaceRoot, { aggregate, sequence }: FoldContext): Effect[] {
  const input = lifecycleOf(workspace, sequence);
  return PRODUCTS.map(({ topic }) => ({
    kind: 'command',
    topic,
    key: aggregate,
    type: 'lifecycle',
    input,
  }));
}

/** Sends the lifecycle to every product again. A product that knows it already ignores the copy, or stores the same one. */
export const sendLifecycle: CommandHandler<WorkspacesFold, 'send-lifecycle'> = {
  fold: ({ root, context }) =>
    root === null ? DONE_UNREMEMBERED : { ...DONE_UNREMEMBERED, effects: lifecycleEffects(root, context) },
};

function lifecycleOf(workspace: WorkspaceRoot, version: number): Lifecycle {
  if (workspace.state === 'erased') {
    return { version, state: 'erased', plan: 'preview', expiresAt: null, products: [] };
  }
  const { state, plan, expiresAt, products } = workspace;
  return { version, state, plan, expiresAt, products };
}
