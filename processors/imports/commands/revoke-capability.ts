import { refusal } from '../../../schemas/base/errors.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';
import { aliveWorkspace, refusedWith, type Step } from '../step.ts';

/** Ends a capability and its browser sessions for good. Revoking it again changes nothing. */
export const revokeCapability: Step<'revoke-capability'> = {
  reads: ({ schemaId, capabilityId }) => [
    { kind: 'schema', id: schemaId },
    { kind: 'capability', id: capabilityId },
    sessionsRow(schemaId),
  ],
  fold(scope) {
    const { view, input, context } = scope;
    const { schemaId, capabilityId } = input;
    const alive = aliveWorkspace(scope, 'allowed');
    if ('refused' in alive) return refusedWith(alive.refused);
    const schema = view.row('schema', schemaId);
    const capability = view.row('capability', capabilityId);
    if (schema === null || capability?.schemaId !== schemaId) return refusedWith(NO_CAPABILITY);
    const outcome = { kind: 'done', result: {} } as const;
    if (capability.revokedAt !== null) return { outcome };
    return {
      outcome,
      put: [
        { kind: 'capability', id: capabilityId, document: { ...capability, revokedAt: context.now } },
        {
          kind: 'schema',
          id: schemaId,
          document: {
            ...schema,
            capabilities: schema.capabilities.filter((active) => active.capabilityId !== capabilityId),
          },
        },
        sessionsChange(
          schemaId,
          activeSessions(scope, schemaId).filter((session) => session.capabilityId !== capabilityId),
        ),
      ],
      effects: [
        {
          kind: 'lookup',
          lookup: {
            kind: 'capability',
            digest: capability.digest,
            target: null,
            expiresAt: capability.endsAt,
          },
        },
      ],
    };
  },
};

const NO_CAPABILITY = refusal('not_found', {
  at: 'path.capabilityId',
  seen: 'the id of no capability',
  expected: 'the id of a capability of this workspace',
});
