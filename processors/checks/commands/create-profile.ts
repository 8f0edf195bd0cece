import { aliveWorkspace } from '../../runtime/alive-workspace.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused, refusedFor } from '../../runtime/results.ts';
import { missing } from '../alive.ts';
import type { ChecksFold } from '../checks-fold.ts';

/** Creates an access profile of an origin. */
export const createProfile: CommandHandler<ChecksFold, 'create-profile'> = {
  reads: ({ input: { originId } }) => [{ kind: 'origin', id: originId }],
  fold(scope) {
    const { root, row, input, context, limits } = scope;
    const { accessProfileId, originId, configuration } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    if (row('origin', originId) === null) return refused(missing('body.originId', 'origin'));
    const { accessProfiles } = limits.checks;
    if (root.profilesMade >= accessProfiles) {
      return refusedFor('limit_reached', {
        at: 'installation.accessProfiles',
        seen: `${root.profilesMade} that were made`,
        expected: `fewer than ${accessProfiles} ever`,
      });
    }
    const document = { originId, configuration, createdAt: context.now };
    return {
      outcome: { kind: 'done', result: { accessProfileId, createdAt: context.now } },
      root: { ...root, profilesMade: root.profilesMade + 1 },
      put: [{ kind: 'profile', id: accessProfileId, document }],
      remember: { entity: `profile/${accessProfileId}` },
    };
  },
};
