import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Scope } from '../runtime/fold.ts';
import type { ChecksFold } from './checks-fold.ts';

type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/**
 * The workspace's copy, unless the workspace refuses what is asked. The gateway has looked at the workspace itself; this
 * catches what changed on the way.
 */
export function aliveWorkspace(
  { root, context }: Pick<Scope<ChecksFold>, 'root' | 'context'>,
  whenPaused: 'refused' | 'allowed',
): Alive {
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, context.now, whenPaused);
  return refused === null ? { lifecycle } : { refused };
}

const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

/** The refusal for the id of a resource that the workspace does not have. `at`: the member of the request. */
export function missing(
  at: 'path.originId' | 'body.originId' | 'body.accessProfileId' | 'body.suiteId',
  what: string,
): Refusal {
  return refusal('not_found', {
    at,
    seen: `the id of no ${what}`,
    expected: 'the id of one of this workspace',
  });
}
