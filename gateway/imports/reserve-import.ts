import { z } from 'zod';
import { serviceError } from '../../schemas/base/errors.ts';
import { importIdSchema, uuidFrom } from '../../schemas/base/ids.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../schemas/base/outcome.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { uploadTokenSchema } from '../../schemas/imports/documents.ts';
import type { reservationSchema } from '../../schemas/imports/http.ts';
import { deriveAgain, deriveSecret } from '../http/derive.ts';
import type { GatewayServices } from '../http/services.ts';
import { type Sender, send } from './actions.ts';
import { importsAggregate } from './load-import.ts';

const UUID_BYTES = 16;

/** A file that somebody wants to import. */
export interface WantedImport {
  readonly installationId: string;
  readonly schemaId: string;
  /** The digest of the browser session that asks, or null. */
  readonly session: string | null;
  readonly revision: number;
  readonly byteLength: number;
  readonly sha256: string;
}

/** The scope and the key under which the reservation is remembered. */
export interface ReservationKey {
  readonly operation: string;
  readonly idempotencyKey: string;
}

/**
 * Charges an import and hands out a token for its bytes. The same key gets the same reservation, with a new token once the
 * last one has ended.
 *
 * @throws {ServiceError} with the refusal.
 */
export async function reserveImport(
  sender: Sender,
  services: GatewayServices,
  { installationId, ...wanted }: WantedImport,
  key: ReservationKey,
): Promise<z.infer<typeof reservationSchema>> {
  const importId =
    (await reservedBefore(services, installationId, key)) ?? uuidFrom(services.entropy.bytes(UUID_BYTES));
  const input = { ...wanted, importId, tokenDigests: tokenDigests(services, importId) };
  const { idempotencyKey } = key;
  const result = await send(sender, installationId, 'reserve-import', input, { idempotencyKey });
  return reservation(services, resultSchema.parse(result));
}

/** The result of `reserve-import`. */
const resultSchema = z.strictObject({ importId: importIdSchema, token: uploadTokenSchema });

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
  return outcome.kind === 'done' ? resultSchema.parse(outcome.result).importId : null;
}

function tokenDigests({ secrets, limits }: GatewayServices, importId: string): string[] {
  return Array.from({ length: limits.imports.uploadAttempts }, (_, position) =>
    secretDigest(deriveSecret(secrets, 'upload', importId, position + 1)),
  );
}

function reservation(
  { secrets, hosts }: GatewayServices,
  { importId, token }: z.infer<typeof resultSchema>,
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
