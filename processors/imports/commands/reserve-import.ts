import { type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { ImportChange } from '../../../schemas/imports/changes.ts';
import {
  type ImportDocument,
  type ImportSession,
  type ImportsRows,
  type UploadToken,
  WITHOUT_FILE,
} from '../../../schemas/imports/documents.ts';
import { importProduct } from '../../../schemas/imports/product.ts';
import { orderedRowId, schemaRevisionRowId } from '../../../schemas/imports/row-ids.ts';
import { ERASED, workRefusal } from '../../../schemas/imports/status.ts';
import type { Lifecycle } from '../../../schemas/workspaces/lifecycle.ts';
import type { CommandHandler, Effect, FoldResult, RowChange, Scope } from '../../runtime/fold/fold.ts';
import { refused, refusedFor } from '../../runtime/fold/results.ts';
import { changeCounts } from '../change-counts.ts';
import { findImport, importActor, importChange, importEntity, importRows } from '../found-import.ts';
import type { ImportsFold } from '../imports-fold.ts';
import { aliveForActor, NO_SCHEMA } from '../preconditions.ts';
import { activeSessions, findSession, SESSION_ENDED, sessionsChange, sessionsRow } from '../sessions.ts';

type Reserve = Scope<ImportsFold, 'reserve-import'>;

/** Charges an import before any byte of it arrives and hands out its first upload token. */
export const reserveImport: CommandHandler<ImportsFold, 'reserve-import'> = {
  reads: ({ input: { importId, schemaId, session, revision, changes = [] } }, view) => [
    { kind: 'schema', id: schemaId },
    ...(changes.some(isOfColumn)
      ? [{ kind: 'schema-revision', id: schemaRevisionRowId(schemaId, revision) } as const]
      : []),
    ...importRows(importId, view),
    ...(session === null ? [] : [sessionsRow(schemaId)]),
  ],
  fold(scope) {
    const { row, input } = scope;
    const alive = aliveForActor(scope, 'refused');
    if ('refused' in alive) return refused(alive.refused);
    const { lifecycle } = alive;
    const schema = row('schema', input.schemaId);
    if (schema === null) return refused(NO_SCHEMA);
    const session = input.session === null ? null : findSession(scope, input.schemaId, input.session);
    if (input.session !== null && session === null) return refused(SESSION_ENDED);
    const bytesMax = scope.limits.plans[lifecycle.plan].importFileBytes;
    if (input.byteLength > bytesMax) {
      return refusedFor('payload_too_large', {
        at: 'body.byteLength',
        seen: 'more bytes than the plan allows',
        expected: `at most ${bytesMax}`,
      });
    }
    if (input.revision !== schema.revision) {
      return refusedFor('revision_conflict', {
        at: 'body.revision',
        seen: 'another number',
        expected: `${schema.revision}, the schema's current revision`,
      });
    }
    const unknown = unknownColumn(scope);
    if (unknown !== null) return refused(unknown);
    // The gateway found the id under the key of an import that was erased meanwhile. The key is free: a repeat gets another id.
    if (row('erased-import', input.importId) !== null) return refused(ERASED);
    const full = importProduct.quotaRefusal('imports', scope, lifecycle.plan);
    return full === null ? reserve(scope, lifecycle, session) : refused(full);
  },

  /**
   * Hands out the next token once the last one has ended, without another charge. After the upload as well: a client that
   * never got its answer sends the bytes again to get it. But then nothing is missing, so a repeat is not refused any more.
   */
  replay(scope, stored) {
    const { row, input, context } = scope;
    const document = row('import', input.importId);
    // Two requests with one key at the same time: the second one's own id is not the import that was reserved.
    if (document === null || stored['importId'] !== input.importId) return null;
    const { uploadToken: token, source } = document;
    if (context.now < token.endsAt) return { outcome: reserved(scope, token) };
    const next = nextToken(scope, token);
    if ('refused' in next) {
      return source === null ? refused(next.refused) : { outcome: reserved(scope, token) };
    }
    return {
      outcome: reserved(scope, next),
      put: [importChange(input.importId, { ...document, uploadToken: next })],
      effects: [tokenLookup(scope, next)],
    };
  },
};

/** A change of the column of one field. */
function isOfColumn({ column }: ImportChange): boolean {
  return column !== undefined;
}

/** The refusal of a change whose column is no field: it could be a name of the file, which is private. */
function unknownColumn({ row, input }: Reserve): Refusal | null {
  const { schemaId, revision, changes = [] } = input;
  if (!changes.some(isOfColumn)) return null;
  const stored = row('schema-revision', schemaRevisionRowId(schemaId, revision));
  const keys = new Set(stored?.configuration.schema.fields.map(({ key }) => key));
  const at = changes.findIndex(({ column }) => column !== undefined && !keys.has(column));
  if (at < 0) return null;
  return refusal('bad_request', {
    at: `body.changes[${at}].column`,
    seen: 'a key of no field',
    expected: "the key of one of the schema's fields",
  });
}

function nextToken(scope: Reserve, { number }: UploadToken): UploadToken | { readonly refused: Refusal } {
  const found = findImport(scope, 'refused');
  if ('refused' in found) return found;
  const ended = workRefusal(found.effective);
  if (ended !== null) return { refused: ended };
  return newToken(scope, number + 1) ?? { refused: NO_TOKENS_LEFT };
}

const NO_TOKENS_LEFT = refusal('limit_reached', {
  at: 'import.uploadAttempts',
  seen: 'all of them used',
  expected: 'one that is left; reserve another import with another idempotencyKey',
});

function reserve(
  scope: Reserve,
  { plan }: Lifecycle,
  session: ImportSession | null,
): FoldResult<ImportsFold, 'reserve-import'> {
  const { root, input, context, limits } = scope;
  const { importId, schemaId, revision, byteLength, sha256, changes } = input;
  const token = newToken(scope, 1);
  if (token === null) throw new Error('reserving an import without an upload token');
  const timelineId = orderedRowId(context.sequence);
  const document: ImportDocument = {
    schemaId,
    schemaRevision: revision,
    createdBy: importActor(scope),
    session: session === null ? null : { digest: session.digest, origin: session.origin },
    createdAt: context.now,
    timelineId,
    byteLength,
    sha256,
    ...(changes && { changes }),
    status: 'reserved',
    retainedUntil: context.now + limits.imports.retentionMs,
    uploadToken: token,
    ...WITHOUT_FILE,
  };
  return {
    outcome: reserved(scope, token),
    root: importProduct.charge('imports', root, plan, context.now),
    put: [
      importChange(importId, document),
      { kind: 'timeline', id: timelineId, document: { importId, schemaId } },
      ...(session === null ? [] : [sessionWithImport(scope, session)]),
    ],
    effects: [tokenLookup(scope, token)],
    remember: { entity: importEntity(importId) },
    audit: changeCounts(document),
  };
}

/** The session, which may use what it reserved. */
function sessionWithImport(scope: Reserve, session: ImportSession): RowChange<ImportsRows> {
  const { importId, schemaId } = scope.input;
  const sessions = activeSessions(scope, schemaId).map((active) =>
    active.digest === session.digest ? { ...active, imports: [...active.imports, importId] } : active,
  );
  return sessionsChange(schemaId, sessions);
}

/** Token number `number`, or null when all attempts are used up. */
function newToken({ input, context, limits }: Reserve, number: number): UploadToken | null {
  const digest = input.tokenDigests[number - 1];
  if (digest === undefined || number > limits.imports.uploadAttempts) return null;
  return { number, digest, endsAt: context.now + limits.imports.uploadTokenMs };
}

function tokenLookup({ input, context }: Reserve, { number, digest, endsAt }: UploadToken): Effect {
  const target = { installationId: context.aggregate, importId: input.importId, number };
  return { kind: 'index', entry: { kind: 'upload-token', digest, target, expiresAt: endsAt } };
}

function reserved(
  { input }: Reserve,
  token: UploadToken,
): FoldResult<ImportsFold, 'reserve-import'>['outcome'] {
  return { kind: 'done', result: { importId: input.importId, token } };
}
