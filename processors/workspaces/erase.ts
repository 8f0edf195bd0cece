import { refusal } from '../../schemas/base/errors.ts';
import { sharedPartOf, workspaceOf } from '../../schemas/base/ids.ts';
import type { ErasedWorkspace, WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { CommandHandler, Effect, Scope } from '../runtime/fold/fold.ts';
import { DONE_UNREMEMBERED, refused } from '../runtime/fold/results.ts';
import { eraseDeadLetters, eraseMore } from '../runtime/sweeps/erasure.ts';
import { endLink, endUsedLink } from './claim-link.ts';
import { endSecrets } from './credential-index.ts';
import { ifExisting } from './existing.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { notifyOrganization, recordedForOwner } from './organization-notices.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/**
 * Erases a workspace in any state for its organization; for the operator, also a preview without one. The root becomes a mark. The commands `erase-rows` that follow
 * remove the rows of the workspace and of its products.
 */
export const erase: CommandHandler<WorkspacesFold, 'erase'> = {
  fold: ifExisting((scope) => {
    const { attachment } = scope.root;
    const { actor, input, limits } = scope;
    const isOwn =
      attachment === null ? actor.kind === 'operator' : attachment.organizationId === input.organizationId;
    if (!isOwn) return refused(NOT_ATTACHED);
    const endedLinks = attachment === null ? endLink(scope.root) : [endUsedLink(attachment, limits)];
    return { ...erased(scope, endedLinks), ...recordedForOwner(scope.root, actor) };
  }),
  // The root says to whom the workspace belongs. Where it cannot be read, the organization's list says so.
  foldUnreadable(scope, known) {
    const { attachment, claimLink = null } = known as Partial<WorkspaceDocument>;
    const { actor, input, limits } = scope;
    const owner = attachment?.organizationId ?? (input.listed === true ? input.organizationId : null);
    if (owner !== input.organizationId && actor.kind !== 'operator') return null;
    return erased(scope, attachment == null ? endLink({ claimLink }) : [endUsedLink(attachment, limits)]);
  },
};

/** Replaces the root of a workspace by the mark of its erasure, which causes the removal of everything else. */
function erased(
  { input: { organizationId }, context }: Pick<Scope<WorkspacesFold, 'erase'>, 'input' | 'context'>,
  endedLinks: readonly Effect[],
) {
  const mark: ErasedWorkspace = { state: 'erased', erasedAt: context.now, organizationId };
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    root: mark,
    remember: false,
    effects: [
      ...endedLinks,
      ...lifecycleEffects(mark, context),
      notifyOrganization('workspace-erased', organizationId, context),
      eraseMore('workspaces', context.aggregate),
      eraseDeadLetters(sharedPartOf(context.aggregate), context),
    ],
  } as const;
}

const NOT_ATTACHED = refusal('not_found', {
  at: 'path.workspaceId',
  seen: 'the id of no attached workspace',
  expected: 'the id of a workspace of this organization',
});

/** Removes rows of an erased workspace, with the index entries that lead to them. */
export const eraseRows: CommandHandler<WorkspacesFold, 'erase-rows'> = {
  reads: ({ input }) => input.rows.filter(({ kind }) => kind === 'credential'),
  admitsUnreadable: ['credential'],
  fold({ root, row, salvaged, input: { rows } }) {
    if (root?.state !== 'erased') throw new Error('removing rows of a workspace that was not erased');
    const effects = rows
      .filter(({ kind }) => kind === 'credential')
      .map(({ id }) => row('credential', id) ?? salvaged('credential', id))
      .flatMap((credential) => (credential === null ? [] : endSecrets(credential)));
    return { ...DONE_UNREMEMBERED, erase: rows, effects };
  },
};
