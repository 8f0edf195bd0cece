import type { Actor } from '../../schemas/base/command.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Scope } from '../runtime/fold.ts';
import type { ImportsFold } from './imports-fold.ts';

export type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/**
 * Returns the workspace's copy, unless the workspace refuses the command. The gateway has checked the workspace itself;
 * this check catches a change after that. A pause stops all commands of browsers and none of people.
 */
export function aliveWorkspace(
  { root, actor, context }: Pick<Scope<ImportsFold>, 'root' | 'actor' | 'context'>,
  whenPaused: 'refused' | 'allowed',
): Alive {
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, context.now, pauseRule(actor, whenPaused));
  return refused === null ? { lifecycle } : { refused };
}

function pauseRule({ kind }: Actor, whenPaused: 'refused' | 'allowed') {
  switch (kind) {
    case 'user':
      return 'allowed';
    case 'session':
      return 'refused';
    case 'agent':
    case 'capability':
    case 'visitor':
    case 'system':
      return whenPaused;
  }
}

export const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

export const NO_SCHEMA = refusal('not_found', {
  at: 'path.schemaId',
  seen: 'the id of no schema',
  expected: 'the id of a schema of this workspace',
});
