import { refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { Limits } from '../../schemas/limits.ts';
import type {
  CredentialDocument,
  ErasedWorkspace,
  WorkspaceDocument,
  WorkspaceRows,
} from '../../schemas/workspaces/documents.ts';
import { eraseMore } from '../runtime/erasure.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import type { View } from '../runtime/unconverted.ts';
import { endUsedLink } from './claim-link.ts';
import { endSecrets } from './credential-lookups.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { notifyOrganization } from './organization-notices.ts';
import { NOTED, type WorkspaceInput, type WorkspaceResult } from './result.ts';

/**
 * Erases a workspace for the organization that it belongs to, in whatever state it is. From now on nothing leads to it;
 * its rows and those of its products go in the steps that follow.
 */
export function eraseWorkspace(
  root: WorkspaceDocument,
  { organizationId }: WorkspaceInput<'erase'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const { attachment } = root;
  if (attachment?.organizationId !== organizationId) return refused(NOT_ATTACHED);
  const erased: ErasedWorkspace = { state: 'erased', erasedAt: context.now, organizationId };
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    root: erased,
    remember: false,
    effects: [
      endUsedLink(attachment, limits),
      ...lifecycleEffects(erased, context),
      notifyOrganization('workspace-erased', organizationId, context),
      eraseMore('workspaces', context.aggregate),
    ],
  };
}

const NOT_ATTACHED = refusal('not_found', {
  at: 'path.workspaceId',
  seen: 'the id of no attached workspace',
  expected: 'the id of a workspace of this organization',
});

/** Removes rows of an erased workspace, with the look-ups that lead to them. */
export function eraseWorkspaceRows(
  view: View<unknown, WorkspaceRows>,
  { rows }: WorkspaceInput<'erase-rows'>,
): WorkspaceResult {
  const credentials = rows
    .filter(({ kind }) => kind === 'credential')
    .map(({ id }) => view.row('credential', id));
  return {
    ...NOTED,
    erase: rows,
    effects: credentials.flatMap(endedSecrets),
  };
}

function endedSecrets(credential: CredentialDocument | null): Effect[] {
  return credential === null ? [] : endSecrets(credential);
}
