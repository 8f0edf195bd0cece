import { refusal } from '../../schemas/base/errors.ts';
import { sharedPartOf, workspaceOf } from '../../schemas/base/ids.ts';
import type { ErasedWorkspace } from '../../schemas/workspaces/documents.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
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
  fold: ifExisting(({ root, input: { organizationId }, actor, context, limits }) => {
    const { attachment } = root;
    const isOwn =
      attachment === null ? actor.kind === 'operator' : attachment.organizationId === organizationId;
    if (!isOwn) return refused(NOT_ATTACHED);
    const erased: ErasedWorkspace = { state: 'erased', erasedAt: context.now, organizationId };
    return {
      outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
      root: erased,
      remember: false,
      ...recordedForOwner(root, actor),
      effects: [
        ...(attachment === null ? endLink(root) : [endUsedLink(attachment, limits)]),
        ...lifecycleEffects(erased, context),
        notifyOrganization('workspace-erased', organizationId, context),
        eraseMore('workspaces', context.aggregate),
        eraseDeadLetters(sharedPartOf(context.aggregate), context),
      ],
    };
  }),
};

const NOT_ATTACHED = refusal('not_found', {
  at: 'path.workspaceId',
  seen: 'the id of no attached workspace',
  expected: 'the id of a workspace of this organization',
});

/** Removes rows of an erased workspace, with the index entries that lead to them. */
export const eraseRows: CommandHandler<WorkspacesFold, 'erase-rows'> = {
  reads: ({ input }) => input.rows.filter(({ kind }) => kind === 'credential'),
  fold({ root, row, input: { rows } }) {
    if (root?.state !== 'erased') throw new Error('removing rows of a workspace that was not erased');
    const effects = rows
      .filter(({ kind }) => kind === 'credential')
      .map(({ id }) => row('credential', id))
      .flatMap((credential) => (credential === null ? [] : endSecrets(credential)));
    return { ...DONE_UNREMEMBERED, erase: rows, effects };
  },
};
