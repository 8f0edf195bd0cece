import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { WORKSPACE_ERASED } from '../../schemas/workspaces/state.ts';
import type { FoldResult, Scope } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import type { WorkspacesCommandType, WorkspacesFold } from './workspaces-fold.ts';

export type Existing<Type extends WorkspacesCommandType> = Scope<WorkspacesFold, Type> & {
  readonly root: WorkspaceDocument;
};

type Fold<In, Type extends WorkspacesCommandType> = (scope: In) => FoldResult<WorkspacesFold, Type>;

/**
 * Returns a fold that handles a command only if the workspace exists: it was created and is not erased.
 *
 * @param absent folds the command for any other workspace. By default it refuses the command with `reason`.
 */
export function ifExisting<Type extends WorkspacesCommandType>(
  fold: Fold<Existing<Type>, Type>,
  absent: (scope: Scope<WorkspacesFold, Type>, reason: Refusal) => FoldResult<WorkspacesFold, Type> = (
    _scope,
    reason,
  ) => refused(reason),
): Fold<Scope<WorkspacesFold, Type>, Type> {
  return (scope) =>
    exists(scope) ? fold(scope) : absent(scope, scope.root === null ? MISSING : WORKSPACE_ERASED);
}

function exists<Type extends WorkspacesCommandType>(
  scope: Scope<WorkspacesFold, Type>,
): scope is Existing<Type> {
  return scope.root !== null && scope.root.state !== 'erased';
}

const MISSING = refusal('not_found', { at: 'workspace', seen: 'none', expected: 'one that exists' });
