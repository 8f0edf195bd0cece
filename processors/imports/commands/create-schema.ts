import { schemaQuota } from '../../../schemas/imports/quotas.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { quotaRefusal } from '../../runtime/quota-refusal.ts';
import { refused } from '../../runtime/results.ts';
import { aliveForActor } from '../alive.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { configured, revisionConflict } from '../schema-revisions.ts';

/** Creates a schema with its first revision, within the plan's lifetime quota. */
export const createSchema: CommandHandler<ImportsFold, 'create-schema'> = {
  fold(scope) {
    const { root, context, limits } = scope;
    const { schemaId, configuration } = scope.input;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { revision } = configuration.schema;
    if (revision !== 1) return revisionConflict('1 for a new schema');
    const full = quotaRefusal('plan.schemas', schemaQuota(root, alive.lifecycle.plan, limits), context.now);
    if (full !== null) return refused(full);
    const { now } = context;
    return {
      ...configured(scope.input, { createdAt: now, capabilities: [] }, { revision, now }),
      root: { ...root, schemasMade: root.schemasMade + 1 },
      remember: { entity: `schema/${schemaId}` },
    };
  },
};
