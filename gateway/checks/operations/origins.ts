import type { z } from 'zod';
import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { loopbackPort } from '../../../schemas/base/origin.ts';
import {
  CHECK_SCHEMA_VERSION,
  confirmOriginRequestSchema,
  createOriginRequestSchema,
  installationParamsSchema,
  originAnswerSchema,
  originListSchema,
  originParamsSchema,
  workspaceOriginParamsSchema,
  workspaceParamsSchema,
} from '../../../schemas/checks/http.ts';
import { challengeContent, challengeUrl } from '../../../schemas/checks/states.ts';
import type { ProofReading } from '../../../topics/ports/proofs.ts';
import { json } from '../../http/audience.ts';
import type { GatewayServices } from '../../http/services.ts';
import { originAnswer } from '../answers.ts';
import { type CheckRequest, checkAgent, checkMember, checkOwner } from '../audiences.ts';
import { findOrigin, listOrigins } from '../check-reading.ts';

const NAME = {
  body: json(createOriginRequestSchema),
  success: { status: 201, schema: originAnswerSchema, description: 'The origin with its challenge' },
  errors: ['idempotency_conflict', 'limit_reached'],
} as const;

/** POST `…/svccheck/origins`: an origin with the challenge that proves it. */
export const createOriginRoute = checkAgent.post('/origins', {
  ...NAME,
  name: 'createCheckOrigin',
  summary: 'Name an origin to check, and get its challenge',
  params: installationParamsSchema,
  handle: nameOrigin,
});

/** POST `/v1/console/workspaces/{workspaceId}/origins`: the same, by a person. */
export const createWorkspaceOriginRoute = checkOwner.post('/origins', {
  ...NAME,
  name: 'createWorkspaceCheckOrigin',
  summary: 'Name an origin to check, and get its challenge, as the owner',
  params: workspaceParamsSchema,
  handle: nameOrigin,
});

async function nameOrigin({
  workspace: { installationId },
  body: { origin, idempotencyKey, ...body },
  services,
  submit,
}: CheckRequest<z.infer<typeof createOriginRequestSchema>>) {
  checkLoopback(origin, services);
  const { entropy, clock } = services;
  const originId = idFrom('origin', entropy.bytes(ID_BYTES));
  const token = idFrom('origin', entropy.bytes(ID_BYTES)).slice('ori_'.length);
  const { originId: created, ...document } = await submit({
    topic: 'checks',
    key: installationId,
    type: 'create-origin',
    input: { originId, origin, token },
    digestInput: { installationId, ...body, origin },
    idempotencyKey,
  });
  return { body: originAnswer(created, document, clock.now()) };
}

/** Refuses origins of this machine where the service does not admit them. */
function checkLoopback(origin: string, { loopbackPorts }: Pick<GatewayServices, 'loopbackPorts'>): void {
  const port = loopbackPort(origin);
  if (port === null || loopbackPorts.includes(port)) return;
  throw serviceError('bad_request', {
    at: 'body.origin',
    seen: 'an origin of this machine',
    expected: 'an HTTPS origin on the internet',
  });
}

const CONFIRM = {
  body: json(confirmOriginRequestSchema),
  success: { status: 200, schema: originAnswerSchema, description: 'The proved origin' },
  errors: ['idempotency_conflict', 'state_conflict'],
} as const;

/** POST `…/svccheck/origins/{originId}/confirm`: looks for the challenge. */
export const confirmOriginRoute = checkAgent.post('/origins/:originId/confirm', {
  ...CONFIRM,
  name: 'confirmCheckOrigin',
  summary: 'Prove an origin by its published challenge',
  params: originParamsSchema,
  handle: confirmOrigin,
});

/** POST `/v1/console/workspaces/{workspaceId}/origins/{originId}/confirm`: the same, by a person. */
export const confirmWorkspaceOriginRoute = checkOwner.post('/origins/:originId/confirm', {
  ...CONFIRM,
  name: 'confirmWorkspaceCheckOrigin',
  summary: 'Prove an origin by its published challenge, as the owner',
  params: workspaceOriginParamsSchema,
  handle: confirmOrigin,
});

interface Confirmation extends CheckRequest<z.infer<typeof confirmOriginRequestSchema>> {
  readonly params: { readonly originId: string };
}

async function confirmOrigin({
  workspace: { installationId },
  params: { originId },
  body: { idempotencyKey, ...body },
  services,
  submit,
}: Confirmation) {
  const origin = await findOrigin(services.store, installationId, originId);
  if (origin === null) {
    throw serviceError('not_found', {
      at: 'path.originId',
      seen: 'the id of no origin',
      expected: 'the id of an origin of this workspace',
    });
  }
  const now = services.clock.now();
  // A challenge that has ended is not looked for; the fold says so.
  const reading: ProofReading =
    now < origin.endsAt
      ? await services.proofs.read({
          url: challengeUrl(originId, origin),
          content: challengeContent(originId, origin),
        })
      : { kind: 'failed', reason: 'timeout' };
  const { originId: confirmed, ...document } = await submit({
    topic: 'checks',
    key: installationId,
    type: 'confirm-origin',
    input: { originId, token: origin.token, reading },
    digestInput: { installationId, originId, ...body },
    idempotencyKey,
  });
  return { body: originAnswer(confirmed, document, services.clock.now()) };
}

/** GET `/v1/console/workspaces/{workspaceId}/origins`. */
export const listWorkspaceOriginsRoute = checkMember.get('/origins', {
  name: 'listWorkspaceCheckOrigins',
  summary: 'List the origins of the browser checks of a workspace',
  params: workspaceParamsSchema,
  success: { status: 200, schema: originListSchema, description: 'The origins, newest first' },
  async handle({ workspace, services }) {
    const found = await listOrigins(services, workspace.installationId);
    const now = services.clock.now();
    const origins = found.map(({ originId, document }) => originAnswer(originId, document, now));
    return { body: { schemaVersion: CHECK_SCHEMA_VERSION, origins } };
  },
});
