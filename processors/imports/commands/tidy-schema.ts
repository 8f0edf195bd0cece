import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../../runtime/results.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';

/** Strikes ended capabilities and sessions off a schema's lists. They have counted for nothing since their end. */
export const tidySchema: CommandHandler<ImportsFold, 'tidy-schema'> = {
  reads: ({ input: { schemaId } }) => [{ kind: 'schema', id: schemaId }, sessionsRow(schemaId)],
  fold(scope) {
    const { row, root, input, context } = scope;
    const { schemaId } = input;
    const { lifecycle } = root;
    const schema = row('schema', schemaId);
    if (schema === null || lifecycle === null) return DONE_UNREMEMBERED;
    const capabilities = schema.capabilities.filter(
      (capability) => capabilityEnd(capability, lifecycle) > context.now,
    );
    return {
      ...DONE_UNREMEMBERED,
      put: [
        { kind: 'schema', id: schemaId, document: { ...schema, capabilities } },
        sessionsChange(schemaId, activeSessions(scope, schemaId)),
      ],
    };
  },
};
