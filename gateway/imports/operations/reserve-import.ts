import type { z } from 'zod';
import type { ResultOf } from '../../../schemas/base/command.ts';
import type { ErrorCode } from '../../../schemas/base/error-codes.ts';
import { uuidFrom } from '../../../schemas/base/ids.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { importsCommands } from '../../../schemas/imports/commands.ts';
import {
  reservationSchema,
  reserveRequestSchema,
  sessionReserveRequestSchema,
} from '../../../schemas/imports/http.ts';
import { deriveAgain, deriveSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import type { RouteSubmit } from '../../http/routing/route.ts';
import type { GatewayServices } from '../../services.ts';
import { importAgent, importOwner, importPage } from '../audiences.ts';
import { storeFileName } from '../file-name.ts';
import { importsReader } from '../load-import.ts';
import { sessionKey } from '../one-import.ts';

const RESERVE = 'reserveImport';
const RESERVE_AS_PAGE = 'reserveSessionImport';
const RESERVE_AS_OWNER = 'reserveWorkspaceImport';
const RESERVATION_ERRORS: readonly ErrorCode[] = [
  'idempotency_conflict',
  'revision_conflict',
  'limit_reached',
  'cancelled',
  'erased',
  'gone',
];

export const reserveImportRoute = importAgent.post('/schemas/:schemaId/imports', {
  name: RESERVE,
  summary: 'Reserve an import and get a token to upload its file',
  description:
    'Reserves an import by the length and the SHA-256 of its file and returns a token for the upload. This counts against the limit of imports. Once the token has expired, the same request returns a new one.',
  whenPaused: 'refused',
  body: json(reserveRequestSchema),
  success: {
    status: 201,
    schema: reservationSchema,
    description:
      'The reservation; the same again for the same key, with a new token once the last one has expired',
  },
  errors: RESERVATION_ERRORS,
  noStore: true,
  async handle({ params, body, services, submit }) {
    const { fileName, ...digested } = body;
    const { idempotencyKey, revision } = body;
    const wanted = { ...params, session: null, revision, file: body };
    const digestInput = { path: params, body: digested };
    return {
      body: await reserveImport(submit, services, wanted, {
        operation: RESERVE,
        idempotencyKey,
        digestInput,
      }),
    };
  },
});

export const reserveSessionImportRoute = importPage.post('/imports', {
  name: RESERVE_AS_PAGE,
  summary: 'Reserve an import and get a token to upload its file, as a browser',
  description:
    'Reserves an import by the length and the SHA-256 of its file and returns a token for the upload.',
  body: json(sessionReserveRequestSchema),
  success: { status: 201, schema: reservationSchema, description: 'The reservation' },
  errors: RESERVATION_ERRORS,
  async handle({ principal, body, services, submit }) {
    const { sessionDigest, owned, schemaRevision, workspace } = principal;
    const { fileName, ...digested } = body;
    const { installationId } = workspace;
    const wanted = { installationId, ...owned, session: sessionDigest, revision: schemaRevision, file: body };
    const key = {
      operation: RESERVE_AS_PAGE,
      idempotencyKey: sessionKey(principal, body.idempotencyKey),
      digestInput: { path: {}, body: digested },
    };
    return { body: await reserveImport(submit, services, wanted, key) };
  },
});

/** The console sends the bytes of an import that a person reserves. */
export const reserveWorkspaceImportRoute = importOwner.post('/schemas/:schemaId/imports', {
  name: RESERVE_AS_OWNER,
  summary: 'Reserve an import and get a token to upload its file, as the owner',
  description:
    'Reserves an import by the length and the SHA-256 of its file and returns a token for the upload, which only a page of the console may use.',
  whenPaused: 'refused',
  body: json(reserveRequestSchema),
  success: { status: 201, schema: reservationSchema, description: 'The reservation' },
  errors: RESERVATION_ERRORS,
  async handle({ params: { schemaId }, workspace, body, services, submit }) {
    const { fileName, ...digested } = body;
    const { idempotencyKey, revision } = body;
    const { installationId } = workspace;
    const wanted = { installationId, schemaId, session: null, revision, file: body };
    const digestInput = { path: { schemaId }, body: digested };
    const key = { operation: RESERVE_AS_OWNER, idempotencyKey, digestInput };
    return { body: await reserveImport(submit, services, wanted, key) };
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
  readonly file: Pick<
    z.infer<typeof sessionReserveRequestSchema>,
    'byteLength' | 'sha256' | 'fileName' | 'changes'
  >;
}

/** The scope and the key under which the reservation is remembered. */
interface ReservationKey {
  readonly operation: string;
  readonly idempotencyKey: string;
  /** The request without the name of its file: its digest goes to a topic, where the name could be guessed from it. */
  readonly digestInput: unknown;
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
  { installationId, file: { byteLength, sha256, fileName, changes }, ...wanted }: WantedImport,
  key: ReservationKey,
): Promise<z.infer<typeof reservationSchema>> {
  const importId =
    (await reservedBefore(services, installationId, key)) ?? uuidFrom(services.entropy.bytes(UUID_BYTES));
  const file = { byteLength, sha256, ...(changes && { changes }) };
  const input = { ...wanted, ...file, importId, tokenDigests: tokenDigests(services, importId) };
  const { idempotencyKey, digestInput } = key;
  const reserved = await submit({
    topic: 'imports',
    key: installationId,
    type: 'reserve-import',
    input,
    idempotencyKey,
    digestInput,
  });
  if (fileName !== undefined) {
    await storeFileName(services, installationId, reserved.importId, fileName);
  }
  return reservation(services, reserved);
}

type Reserved = ResultOf<typeof importsCommands, 'reserve-import'>;

/** The import that this key has reserved: its later tokens derive from its id, so the command has to name it. */
async function reservedBefore(
  { store }: GatewayServices,
  installationId: string,
  { operation, idempotencyKey }: Omit<ReservationKey, 'digestInput'>,
): Promise<string | null> {
  const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, idempotencyKey) };
  const { rows } = await store.read(importsReader.aggregate(installationId), [row]);
  const [stored] = rows;
  if (stored === undefined) return null;
  const { outcome } = readStored(storedOutcomeSchema, stored.document);
  return outcome.kind === 'done'
    ? readStored(importsCommands['reserve-import'].result, outcome.result).importId
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
  const { number, digest, endsAt } = token;
  const expected = 'the same request after the token has expired';
  return {
    importId,
    uploadUrl: `${hosts.ingest}/v1/import/uploads/${importId}`,
    uploadToken: deriveAgain(secrets, 'upload', importId, number, digest, { expected }),
    expiresAt: isoTime(endsAt),
  };
}
