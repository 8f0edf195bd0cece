import { schemaQuota } from '../../../schemas/imports/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused, refusedFor } from '../../runtime/results.ts';
import { aliveWorkspace } from '../alive.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { configured, revisionConflict } from '../schema-revisions.ts';

/** Creates a schema with its first revision, within the plan's lifetime quota. */
export const createSchema: CommandHandler<ImportsFold, 'create-schema'> = {
  fold(scope) {
    const { root, context, limits } = scope;
    const { schemaId, configuration } = scope.input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { revision } = configuration.schema;
    if (revision !== 1) return revisionConflict('1 for a new schema');
    const quota = schemaQuota(root, alive.lifecycle.plan, limits);
    if (quota.remaining === 0) {
      return refusedFor('limit_reached', {
        at: 'plan.schemas',
        seen: `${quota.limit} that were made`,
        expected: `fewer; the plan allows ${quota.limit}`,
      });
    }
    const { now } = context;
    return {
      ...configured(scope.input, { createdAt: now, capabilities: [] }, { revision, now }),
      root: { ...root, schemasMade: root.schemasMade + 1 },
      remember: { entity: `schema/${schemaId}` },
    };
  },
};
