import { digestOf, keyedDigest } from '../../../schemas/base/digest.ts';
import { installationOf } from '../../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../../schemas/base/time.ts';
import { createdWorkspaceSchema, createWorkspaceRequestSchema } from '../../../schemas/workspaces/http.ts';
import { throttle } from '../../http/callers/throttle.ts';
import { deriveId, deriveSecret } from '../../http/records/derive.ts';
import { defineRoute } from '../../http/routing/route.ts';
import type { GatewayServices } from '../../services.ts';
import { findWorkspace } from '../load-workspace.ts';
import { derivedCredential, madeCredential } from '../made-credential.ts';
import { consoleAddress } from '../workspace-answers.ts';

/** The least number of characters of an `Idempotency-Key` without a provision token. A random UUID has 36. */
const KEY_CHARACTERS_MIN = 32;

export const createWorkspaceRoute = defineRoute({
  name: 'createWorkspace',
  summary: 'Create a preview workspace',
  description:
    'Creates a workspace as a preview, without an account. The answer has the project credential for all further requests, and the provision token that opens claim links. A repeat with the same `Idempotency-Key` or `provisionToken` returns the same workspace.',
  method: 'POST',
  path: '/v1/agent/workspaces',
  host: 'base',
  principal: 'none',
  rate: 'management',
  switch: 'creation',
  body: { kind: 'json', schema: createWorkspaceRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  idempotencyCharactersMin: KEY_CHARACTERS_MIN,
  success: {
    status: 201,
    schema: createdWorkspaceSchema,
    description:
      'The workspace with its provision token and credential; the same again for the same token and input',
  },
  errors: ['rate_limited', 'idempotency_conflict', 'state_conflict', 'gone'],
  noStore: true,
  async handle({ body, idempotencyKey, addressKey, services, submit }) {
    const { secrets, hosts } = services;
    const { name, cohort } = body;
    const products = [...(body.products ?? [])].sort();
    const provisionToken =
      body.provisionToken ?? (await newProvisionToken(services, idempotencyKey, addressKey));
    const workspaceId = deriveId(secrets, 'workspace', provisionToken);
    const installationId = installationOf(workspaceId);
    const credentialId = deriveId(secrets, 'credential', provisionToken);
    if ((await findWorkspace(services.store, installationId)) === null) {
      await limitCreation(services, addressKey());
    }
    const created = await submit({
      topic: 'workspaces',
      key: installationId,
      type: 'create',
      // An aggregate belongs to one token, and a token makes one workspace.
      idempotencyKey: 'create',
      ...(body.provisionToken === undefined ? {} : { keyAt: OF_TOKEN.at }),
      digestInput: { name, cohort, products },
      input: {
        name,
        cohort,
        products,
        provisionDigest: secretDigest(provisionToken),
        creator: creatorOf(services, addressKey()),
        credential: derivedCredential(secrets, credentialId, FIRST_NUMBER),
      },
    });
    return {
      body: {
        workspaceId,
        installationId,
        name,
        cohort,
        products,
        state: 'preview',
        plan: 'preview',
        createdAt: isoTime(created.createdAt),
        expiresAt: isoTime(created.expiresAt),
        provisionToken,
        credential: madeCredential(secrets, created, body.provisionToken === undefined ? {} : OF_TOKEN)
          .credential,
        console: consoleAddress(hosts, workspaceId),
      },
    };
  },
});

/** The place of a fault of a request that its provision token names. */
const OF_TOKEN = { at: 'body.provisionToken', expected: 'a new provision token' } as const;

/**
 * Returns a provision token for a request without one. With an `Idempotency-Key`, the token derives from the key and
 * the caller's address, so that a repeat finds its workspace. The key must be long, because no credential scopes it
 * and the answer holds secrets.
 */
async function newProvisionToken(
  { secrets, entropy, store }: GatewayServices,
  idempotencyKey: string | null,
  addressKey: () => string,
): Promise<string> {
  if (idempotencyKey === null) return secretFrom('provision', entropy.bytes(SECRET_BYTES));
  const id = digestOf(['createWorkspace', addressKey(), idempotencyKey]);
  const current = deriveSecret(secrets, 'provision', id, FIRST_NUMBER);
  if (secrets.previous === null) return current;
  const earlier = deriveSecret({ ...secrets, secret: secrets.previous }, 'provision', id, FIRST_NUMBER);
  const installationId = installationOf(deriveId(secrets, 'workspace', earlier));
  return (await findWorkspace(store, installationId)) === null ? current : earlier;
}

/** Characters of a digest that names a creator. */
const CREATOR_CHARACTERS = 16;

/** Returns the digest that stands for a caller's address in a workspace. Counters and logs do not show it. */
function creatorOf({ secrets }: Pick<GatewayServices, 'secrets'>, addressKey: string): string {
  return keyedDigest(secrets.identity, 'creator', addressKey)
    .toString('base64url')
    .slice(0, CREATOR_CHARACTERS);
}

/** The number of a credential's first secret. */
const FIRST_NUMBER = 1;

/** Counts a request that would create a workspace. A repeat does not count: its creation has counted already. */
async function limitCreation(services: GatewayServices, addressKey: string): Promise<void> {
  const { createdPerAddressHour, createdPerAddressDay } = services.limits.workspace;
  await throttle(
    services,
    [
      { key: `create-workspace-hour:${addressKey}`, limit: createdPerAddressHour, windowMs: HOUR_MS },
      { key: `create-workspace-day:${addressKey}`, limit: createdPerAddressDay, windowMs: DAY_MS },
    ],
    {
      at: 'request.rate',
      seen: 'too many workspaces from this address',
      expected: `at most ${createdPerAddressHour} an hour and ${createdPerAddressDay} a day`,
    },
  );
}
