import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { Lifecycle } from '../../../schemas/workspaces/lifecycle.ts';
import type { ProductRoot } from '../../../schemas/workspaces/product.ts';
import { workspaceRefusal } from '../../../schemas/workspaces/state.ts';
import type { FoldContext } from './fold.ts';

export type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/** The refusal of a command that is faster than its workspace's first lifecycle. */
export const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

/**
 * Returns the workspace as this product knows it, or the refusal if it is paused, ended or erased. Repeats the gateway's check,
 * because the state may have changed since.
 */
export function aliveWorkspace(
  { root, context }: { readonly root: Pick<ProductRoot, 'lifecycle'>; readonly context: FoldContext },
  whenPaused: 'refused' | 'allowed',
): Alive {
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, context.now, whenPaused);
  return refused === null ? { lifecycle } : { refused };
}
