import type { z } from 'zod';
import type { ResultOf } from '../../../schemas/base/command.ts';
import { type ErrorCode, serviceError } from '../../../schemas/base/errors.ts';
import { uuidFrom } from '../../../schemas/base/ids.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { importsCommands } from '../../../schemas/imports/commands.ts';
import {
  installationSchemaParamsSchema,
  reservationSchema,
  reserveRequestSchema,
  sessionReserveRequestSchema,
} from '../../../schemas/imports/http.ts';
import { json } from '../../http/audience.ts';
import { deriveAgain, deriveSecret } from '../../http/derive.ts';
import type { RouteSubmit } from '../../http/route.ts';
import type { GatewayServices } from '../../http/services.ts';
import { importAgent, importPage } from '../audiences.ts';
import { importsAggregate } from '../load-import.ts';
import { sessionKey } from '../one-import.ts';

const RESERVE = 'reserveImport';
const RESERVE_AS_PAGE = 'reserveSessionImport';
const RESERVATION_ERRORS: readonly ErrorCode[] = [
  'idempotency_conflict',
  'revision_conflict',
  'limit_reached',
  'cancelled',
  'erased',
  'gone',
];

/** POST `…/svcimport/schemas/{schemaId}/imports`: charges an import and hands out an upload token. */
export const reserveImportRoute = importAgent.post('/schemas/:schemaId/imports', {
  name: RESERVE,
  summary: 'Reserve an import and get a token to upload its file',
  whenPaused: 'refused',
  params: installationSchemaParamsSchema,
  body: json(reserveRequestSchema),
  success: {
    status: 201,
    schema: reservationSchema,
    description:
      'The reservation; the same again for the same key, with a new token once the last one has ended',
  },
  errors: RESERVATION_ERRORS,
  noStore: true,
  async handle({ params, body, services, submit }) {
    const { idempotencyKey, revision, byteLength, sha256 } = body;
    const wanted = { ...params, session: null, revision, byteLength, sha256 };
    return {
      body: await reserveImport(submit, services, wanted, { operation: RESERVE, idempotencyKey }),
    };
  },
});

/** POST `…/browser/imports`: charges an import, for the session's revision, and hands out an upload token. */
export const reserveSessionImportRoute = importPage.post('/imports', {
  name: RESERVE_AS_PAGE,
  summary: 'Reserve an import and get a token to upload its file, as a browser',
  body: json(sessionReserveRequestSchema),
  success: { status: 201, schema: reservationSchema, description: 'The reservation' },
  errors: RESERVATION_ERRORS,
  async handle({ principal, body, services, submit }) {
    const { sessionDigest, owned, schemaRevision, workspace } = principal;
    const { byteLength, sha256 } = body;
    const { installationId } = workspace;
    const file = { session: sessionDigest, revision: schemaRevision, byteLength, sha256 };
    const key = { operation: RESERVE_AS_PAGE, idempotencyKey: sessionKey(principal, body.idempotencyKey) };
    return {
      body: await reserveImport(submit, services, { installationId, ...owned, ...file }, key),
    };
  },
});

const UUID_BYTES = 16;

/** A file that a caller wants to import. */
interface WantedImport {
  readonly installationId: string;
  readonly schemaId: string;
  /** The digest of the browser session that asks, or null. */
  readonly session: string | null;
  readonly revision: number;
  readonly byteLength: number;
  readonly sha256: string;
}

/** The scope and the key under which the reservation is remembered. */
interface ReservationKey {
  readonly operation: string;
  readonly idempotencyKey: string;
}

/**
 * Charges an import and hands out a token for its bytes. The same key gets the same reservation, with a new token once the
 * last one has ended.
 *
 * @throws {ServiceError} with the refusal.
 */
async function reserveImport(
  submit: RouteSubmit,
  services: GatewayServices,
  { installationId, ...wanted }: WantedImport,
  key: ReservationKey,
): Promise<z.infer<typeof reservationSchema>> {
  const importId =
    (await reservedBefore(services, installationId, key)) ?? uuidFrom(services.entropy.bytes(UUID_BYTES));
  const input = { ...wanted, importId, tokenDigests: tokenDigests(services, importId) };
  const { idempotencyKey } = key;
  const reserved = await submit({
    topic: 'imports',
    key: installationId,
    type: 'reserve-import',
    input,
    idempotencyKey,
  });
  return reservation(services, reserved);
}

type Reserved = ResultOf<typeof importsCommands, 'reserve-import'>;

/** The import that this key has reserved: its later tokens derive from its id, so the command has to name it. */
async function reservedBefore(
  { store }: GatewayServices,
  installationId: string,
  { operation, idempotencyKey }: ReservationKey,
): Promise<string | null> {
  const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, idempotencyKey) };
  const { rows } = await store.read(importsAggregate(installationId), [row]);
  const [stored] = rows;
  if (stored === undefined) return null;
  const { outcome } = storedOutcomeSchema.parse(stored.document);
  return outcome.kind === 'done'
    ? importsCommands['reserve-import'].result.parse(outcome.result).importId
    : null;
}

function tokenDigests({ secrets, limits }: GatewayServices, importId: string): string[] {
  return Array.from({ length: limits.imports.uploadAttempts }, (_, position) =>
    secretDigest(deriveSecret(secrets, 'upload', importId, position + 1)),
  );
}

function reservation(
  { secrets, hosts }: GatewayServices,
  { importId, token }: Reserved,
): z.infer<typeof reservationSchema> {
  const uploadToken = deriveAgain(secrets, 'upload', importId, token.number, token.digest);
  if (uploadToken === null) {
    throw serviceError('gone', {
      at: 'body.idempotencyKey',
      seen: 'a key of an earlier request whose upload token can no longer be derived because SVC_SECRET was replaced',
      expected: 'the same request after the token has ended',
    });
  }
  return {
    importId,
    uploadUrl: `${hosts.ingest}/v1/import/uploads/${importId}`,
    uploadToken,
    expiresAt: isoTime(token.endsAt),
  };
}
