import { capabilityEnd } from '../../../schemas/imports/status.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';
import { DROPPED, type Step } from '../step.ts';

/** Strikes ended capabilities and sessions off a schema's lists. They have counted for nothing since their end. */
export const tidySchema: Step<'tidy-schema'> = {
  reads: ({ schemaId }) => [{ kind: 'schema', id: schemaId }, sessionsRow(schemaId)],
  fold(scope) {
    const { view, root, input, context } = scope;
    const { schemaId } = input;
    const { lifecycle } = root;
    const schema = view.row('schema', schemaId);
    if (schema === null || lifecycle === null) return DROPPED;
    const capabilities = schema.capabilities.filter(
      (capability) => capabilityEnd(capability, lifecycle) > context.now,
    );
    return {
      ...DROPPED,
      put: [
        { kind: 'schema', id: schemaId, document: { ...schema, capabilities } },
        sessionsChange(schemaId, activeSessions(scope, schemaId)),
      ],
    };
  },
};
