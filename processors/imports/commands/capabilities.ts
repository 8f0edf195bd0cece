import { refusal } from '../../../schemas/base/errors.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { CapabilityDocument, ImportsRows } from '../../../schemas/imports/documents.ts';
import { orderedRowId } from '../../../schemas/imports/row-ids.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { CommandHandler, RowChange, Scope } from '../../runtime/fold/fold.ts';
import { DONE, DONE_UNREMEMBERED, refused, refusedFor } from '../../runtime/fold/results.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { aliveForActor, NO_SCHEMA } from '../preconditions.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';

/** Makes a capability for one schema and one of its origins. Its secret is known by its digest only. */
export const createCapability: CommandHandler<ImportsFold, 'create-capability'> = {
  reads: ({ input: { schemaId } }) => [{ kind: 'schema', id: schemaId }],
  fold(scope) {
    const { row, input, context, limits } = scope;
    const { capabilityId, schemaId, name, origin, delegateApproval, digest, last4 } = input;
    const { now } = context;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const schema = row('schema', schemaId);
    if (schema === null) return refused(NO_SCHEMA);
    if (!schema.allowedOrigins.includes(origin)) {
      return refused(ORIGIN_LEFT_OUT);
    }
    const endsAtOf = (endsAt: number) => capabilityEnd({ endsAt }, alive.lifecycle);
    const active = schema.capabilities.filter(({ endsAt }) => endsAtOf(endsAt) > now);
    const activeMax = limits.imports.capabilitiesPerSchema;
    if (active.length >= activeMax) {
      return refusedFor('limit_reached', {
        at: 'schema.capabilities',
        seen: `${active.length} that are active`,
        expected: `fewer; a schema has at most ${activeMax}`,
      });
    }
    const endsAt = now + input.expiresInDays * DAY_MS;
    const made = { name, origin, delegateApproval, digest, last4, createdAt: now };
    const document: CapabilityDocument = { schemaId, ...made, endsAt, revokedAt: null, lastUsedAt: null };
    return {
      outcome: {
        kind: 'done',
        result: { capabilityId, ...made, expiresAt: endsAtOf(endsAt) },
      },
      put: [
        { kind: 'capability', id: capabilityId, document },
        {
          kind: 'capability-order',
          id: orderedRowId(context.sequence, schemaId),
          document: { capabilityId },
        },
        {
          kind: 'schema',
          id: schemaId,
          document: { ...schema, capabilities: [...active, { capabilityId, endsAt }] },
        },
      ],
      effects: [
        {
          kind: 'index',
          entry: {
            kind: 'capability',
            digest,
            target: { installationId: context.aggregate, capabilityId },
            expiresAt: endsAt,
          },
        },
      ],
      remember: { entity: `capability/${capabilityId}` },
    };
  },
};

const ORIGIN_LEFT_OUT = refusal('bad_request', {
  at: 'body.origin',
  seen: 'an origin that the schema does not allow',
  expected: "one of the schema's allowedOrigins",
});

/**
 * Ends a capability and its browser sessions for good. Revoking it again changes nothing. A capability that cannot be read is
 * removed.
 */
export const revokeCapability: CommandHandler<ImportsFold, 'revoke-capability'> = {
  reads: ({ input: { schemaId, capabilityId } }) => [
    { kind: 'schema', id: schemaId },
    { kind: 'capability', id: capabilityId },
    sessionsRow(schemaId),
  ],
  admitsUnreadable: ['schema', 'capability', 'schema-sessions'],
  fold(scope) {
    const { row, salvaged, input, context } = scope;
    const { schemaId, capabilityId } = input;
    const alive = aliveForActor(scope, 'allowed');
    if ('refused' in alive) return refused(alive.refused);
    const stored = row('capability', capabilityId);
    const capability = stored ?? salvaged('capability', capabilityId);
    if (capability === null || (capability.schemaId ?? schemaId) !== schemaId) return refused(NO_CAPABILITY);
    if (stored !== null && stored.revokedAt !== null) return DONE;
    const { digest, endsAt = null } = capability;
    return {
      ...DONE,
      put: [
        ...(stored === null
          ? []
          : [
              {
                kind: 'capability' as const,
                id: capabilityId,
                document: { ...stored, revokedAt: context.now },
              },
            ]),
        ...withoutCapability(scope, schemaId, capabilityId),
      ],
      remove: stored === null ? [{ kind: 'capability', id: capabilityId }] : [],
      effects:
        digest === undefined
          ? []
          : [{ kind: 'index', entry: { kind: 'capability', digest, target: null, expiresAt: endsAt } }],
    };
  },
};

/** The schema and its sessions without a capability. A row that cannot be read stays as it is: the capability's row decides. */
function withoutCapability(
  scope: Pick<Scope<ImportsFold, 'revoke-capability'>, 'row' | 'root' | 'context' | 'salvaged'>,
  schemaId: string,
  capabilityId: string,
): RowChange<ImportsRows>[] {
  const isOther = (each: { readonly capabilityId: string }) => each.capabilityId !== capabilityId;
  const schema = scope.row('schema', schemaId);
  const sessions = activeSessions(scope, schemaId).filter(isOther);
  const capabilities = schema?.capabilities.filter(isOther) ?? [];
  return [
    ...(schema === null
      ? []
      : [{ kind: 'schema' as const, id: schemaId, document: { ...schema, capabilities } }]),
    ...(scope.salvaged('schema-sessions', schemaId) === null ? [sessionsChange(schemaId, sessions)] : []),
  ];
}

const NO_CAPABILITY = refusal('not_found', {
  at: 'path.capabilityId',
  seen: 'the id of no capability',
  expected: 'the id of a capability of this workspace',
});

/** Keeps when a capability was last seen. */
export const capabilityUsed: CommandHandler<ImportsFold, 'capability-used'> = {
  reads: ({ input: { capabilityId } }) => [{ kind: 'capability', id: capabilityId }],
  fold({ row, input, context }) {
    const { capabilityId } = input;
    const capability = row('capability', capabilityId);
    if (capability === null) return DONE_UNREMEMBERED;
    const document = { ...capability, lastUsedAt: context.now };
    return { ...DONE_UNREMEMBERED, put: [{ kind: 'capability', id: capabilityId, document }] };
  },
};
