import { refusal } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { CapabilityDocument, ImportSession } from '../../../schemas/imports/documents.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { CommandHandler, FoldResult, Scope } from '../../runtime/fold/fold.ts';
import { refused } from '../../runtime/fold/results.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { aliveForActor, NO_SCHEMA } from '../preconditions.ts';
import { activeSessions, sessionsChange, sessionsRow } from '../sessions.ts';

type Mint = Scope<ImportsFold, 'mint-session'>;

/**
 * Makes a session for one browser, bound to the capability's origin and the schema's current revision. It never outlives
 * its capability, and a schema has a bounded number of them at a time.
 */
export const mintSession: CommandHandler<ImportsFold, 'mint-session'> = {
  reads: ({ input: { schemaId, capabilityId } }) => [
    { kind: 'schema', id: schemaId },
    { kind: 'capability', id: capabilityId },
    sessionsRow(schemaId),
  ],
  fold(scope) {
    const { row, input, context, limits } = scope;
    const { schemaId, capabilityId } = input;
    const alive = aliveForActor(scope, 'refused');
    if ('refused' in alive) return refused(alive.refused);
    const schema = row('schema', schemaId);
    if (schema === null) return refused(NO_SCHEMA);
    const capability = row('capability', capabilityId);
    if (capability?.schemaId !== schemaId || hasEnded(capability, context.now)) {
      return refused(CAPABILITY_ENDED);
    }
    if (!schema.allowedOrigins.includes(capability.origin)) return refused(ORIGIN_LEFT_OUT);
    const active = activeSessions(scope, schemaId);
    if (active.length >= limits.imports.sessionsPerSchema) return refused(tooMany(scope, active));
    const session: ImportSession = {
      digest: input.digest,
      capabilityId,
      schemaRevision: schema.revision,
      origin: capability.origin,
      delegateApproval: capability.delegateApproval,
      endsAt: Math.min(capability.endsAt, context.now + limits.imports.sessionMs),
      imports: [],
    };
    return {
      outcome: minted(session, capabilityEnd(session, alive.lifecycle)),
      put: [sessionsChange(schemaId, [...active, session])],
      effects: [
        {
          kind: 'index',
          entry: {
            kind: 'import-session',
            digest: session.digest,
            target: { installationId: context.aggregate, schemaId },
            expiresAt: session.endsAt,
          },
        },
      ],
    };
  },
};

const CAPABILITY_ENDED = refusal('unauthorized', {
  at: 'header.Authorization',
  seen: 'a capability that has expired',
  expected: 'one that has not',
});

const ORIGIN_LEFT_OUT = refusal('origin_not_allowed', {
  at: 'capability.origin',
  seen: 'an origin that the schema no longer allows',
  expected: 'one of the allowedOrigins of its current revision',
});

function hasEnded({ revokedAt, endsAt }: CapabilityDocument, now: number): boolean {
  return revokedAt !== null || now >= endsAt;
}

function tooMany({ context, limits }: Mint, active: readonly ImportSession[]) {
  const firstEnd = Math.min(...active.map(({ endsAt }) => endsAt));
  const seconds = Math.ceil((firstEnd - context.now) / SECOND_MS);
  const { sessionsPerSchema } = limits.imports;
  return refusal(
    'limit_reached',
    {
      at: 'schema.sessions',
      seen: `${active.length} that are active`,
      expected: `fewer; a schema has at most ${sessionsPerSchema}`,
    },
    seconds,
  );
}

function minted(
  { digest, schemaRevision, origin, delegateApproval }: ImportSession,
  expiresAt: number,
): FoldResult<ImportsFold, 'mint-session'>['outcome'] {
  return { kind: 'done', result: { digest, schemaRevision, origin, delegateApproval, expiresAt } };
}
