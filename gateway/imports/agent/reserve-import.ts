import { z } from 'zod';
import { serviceError } from '../../../schemas/base/errors.ts';
import { importIdSchema, uuidFrom } from '../../../schemas/base/ids.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { uploadTokenSchema } from '../../../schemas/imports/documents.ts';
import {
  installationSchemaParamsSchema,
  reservationSchema,
  reserveRequestSchema,
} from '../../../schemas/imports/http.ts';
import { deriveAgain, deriveSecret } from '../../derive.ts';
import { defineRoute } from '../../route.ts';
import type { GatewayServices } from '../../services.ts';
import { send } from '../actions.ts';
import { importsAggregate } from '../load-import.ts';

const NAME = 'reserveImport';
const UUID_BYTES = 16;

/** POST `…/svcimport/schemas/{schemaId}/imports`: charges an import and hands out an upload token. */
export const reserveImportRoute = defineRoute({
  name: NAME,
  summary: 'Reserve an import and get a token to upload its file',
  method: 'POST',
  path: '/v1/installations/:installationId/svcimport/schemas/:schemaId/imports',
  host: 'base',
  principal: 'project',
  product: 'svcimport',
  whenPaused: 'refused',
  rate: 'management',
  params: installationSchemaParamsSchema,
  body: { kind: 'json', schema: reserveRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 201,
    schema: reservationSchema,
    description:
      'The reservation; the same again for the same key, with a new token once the last one has ended',
  },
  errors: ['idempotency_conflict', 'revision_conflict', 'limit_reached', 'cancelled', 'gone'],
  noStore: true,
  async handle({ params, body, services, submit }) {
    const { installationId, schemaId } = params;
    const { idempotencyKey, revision, byteLength, sha256 } = body;
    const importId =
      (await reservedBefore(services, installationId, idempotencyKey)) ??
      uuidFrom(services.entropy.bytes(UUID_BYTES));
    const input = {
      importId,
      session: null,
      schemaId,
      revision,
      byteLength,
      sha256,
      tokenDigests: tokenDigests(services, importId),
    };
    const result = await send({ submit }, installationId, 'reserve-import', input, { idempotencyKey });
    return { body: reservation(services, resultSchema.parse(result)) };
  },
});

/** The result of `reserve-import`. */
const resultSchema = z.strictObject({ importId: importIdSchema, token: uploadTokenSchema });

/** The import that this key has reserved: its later tokens derive from its id, so the command has to name it. */
async function reservedBefore(
  { store }: GatewayServices,
  installationId: string,
  idempotencyKey: string,
): Promise<string | null> {
  const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(NAME, idempotencyKey) };
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

function reservation({ secrets, hosts }: GatewayServices, { importId, token }: z.infer<typeof resultSchema>) {
  const uploadToken = deriveAgain(secrets, 'upload', importId, token.number, token.digest);
  if (uploadToken === null) {
    throw serviceError(
      'gone',
      'The upload token can no longer be derived: its key was replaced. Ask again once it has ended.',
    );
  }
  return {
    importId,
    uploadUrl: `${hosts.ingest}/v1/import/uploads/${importId}`,
    uploadToken,
    expiresAt: isoTime(token.endsAt),
  };
}
