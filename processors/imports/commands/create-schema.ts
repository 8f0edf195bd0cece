import { digestOf } from '../../../schemas/base/digest.ts';
import { refusal } from '../../../schemas/base/errors.ts';
import { schemaAllowance } from '../../../schemas/imports/allowance.ts';
import { schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { refused } from '../../runtime/results.ts';
import { aliveWorkspace } from '../alive.ts';
import type { ImportsFold } from '../imports-fold.ts';

/** Makes a schema with its first revision, against the plan's lifetime allowance. */
export const createSchema: CommandHandler<ImportsFold, 'create-schema'> = {
  fold(scope) {
    const { root, context, limits } = scope;
    const { schemaId, configuration } = scope.input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const { revision } = configuration.schema;
    if (revision !== 1)
      return refused(
        refusal('revision_conflict', {
          at: 'body.configuration.schema.revision',
          seen: 'another number',
          expected: '1 for a new schema',
        }),
      );
    const allowance = schemaAllowance(root, alive.lifecycle.plan, limits);
    if (allowance.remaining === 0) {
      return refused(
        refusal('limit_reached', {
          at: 'plan.schemas',
          seen: `${allowance.limit} that were made`,
          expected: `fewer; the plan allows ${allowance.limit}`,
        }),
      );
    }
    const { now } = context;
    return {
      outcome: { kind: 'done', result: { schemaId, revision, createdAt: now } },
      root: { ...root, schemasMade: root.schemasMade + 1 },
      put: [
        {
          kind: 'schema',
          id: schemaId,
          document: {
            name: configuration.name,
            revision,
            allowedOrigins: configuration.allowedOrigins,
            createdAt: now,
            updatedAt: now,
            capabilities: [],
          },
        },
        {
          kind: 'schema-revision',
          id: schemaRevisionRowId(schemaId, revision),
          document: { configuration, digest: digestOf(configuration), createdAt: now },
        },
      ],
      remember: { entity: `schema/${schemaId}` },
    };
  },
};
