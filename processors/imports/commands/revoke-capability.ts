import { refusal } from '../../../schemas/base/errors.ts';
import type { CommandHandler } from '../../runtime/fold.ts';
import { DONE, refused } from '../../runtime/results.ts';
import { aliveForActor } from '../alive.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';

/** Ends a capability and its browser sessions for good. Revoking it again changes nothing. */
export const revokeCapability: CommandHandler<ImportsFold, 'revoke-capability'> = {
  reads: ({ input: { schemaId, capabilityId } }) => [
    { kind: 'schema', id: schemaId },
    { kind: 'capability', id: capabilityId },
    sessionsRow(schemaId),
  ],
  fold(scope) {
    const { row, input, context } = scope;
    const { schemaId, capabilityId } = input;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const schema = row('schema', schemaId);
    const capability = row('capability', capabilityId);
    if (schema === null || capability?.schemaId !== schemaId) return refused(NO_CAPABILITY);
    if (capability.revokedAt !== null) return DONE;
    return {
      ...DONE,
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
          kind: 'index',
          entry: {
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
