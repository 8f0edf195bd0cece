import { sha256Hex } from '../../schemas/base/digest.ts';
import { type IdKind, idFrom, installationOf, requestIdFrom, uuidFrom } from '../../schemas/base/ids.ts';
import { secretFrom } from '../../schemas/base/secrets.ts';
import { limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import type { SecretKind } from '../../schemas/products.ts';

/** Bytes that stand for random ones, so that the examples of the OpenAPI document are always the same. */
function bytes(name: string): Buffer {
  return Buffer.from(sha256Hex(`example ${name}`), 'hex');
}

/** A well-formed secret that the service never issues: it is derived from its kind alone. */
export function exampleSecret(kind: SecretKind): string {
  return secretFrom(kind, bytes(kind));
}

function exampleId(kind: IdKind): string {
  return idFrom(kind, bytes(kind));
}

const workspaceId = exampleId('workspace');

/** Values that the examples of the OpenAPI document share, so that they tell one story. */
export const EXAMPLES = {
  workspaceId,
  installationId: installationOf(workspaceId),
  organizationId: exampleId('organization'),
  userId: exampleId('user'),
  schemaId: exampleId('schema'),
  checklistId: exampleId('checklist'),
  eventId: exampleId('event'),
  widgetId: exampleId('widget'),
  submissionId: exampleId('submission'),
  capabilityId: exampleId('capability'),
  credentialId: exampleId('credential'),
  keyId: exampleId('key'),
  invitationId: exampleId('invitation'),
  importId: uuidFrom(bytes('import')),
  requestId: requestIdFrom(bytes('request')),
  sessionId: sha256Hex('example session'),
  etag: `"${sha256Hex('example answer')}"`,
  limiterKey: limiterKeyFrom('test', bytes('limiter')),
  origin: 'https://app.example.com',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
  at: '2026-09-07T10:00:00.000Z',
  /** A moment after {@link EXAMPLES.at}. */
  later: '2026-09-07T10:05:00.000Z',
  endsAt: '2026-09-10T10:00:00.000Z',
} as const;
