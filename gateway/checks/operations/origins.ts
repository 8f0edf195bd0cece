import type { z } from 'zod';
import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { loopbackPort } from '../../../schemas/base/origin.ts';
import { challengeContent, challengeUrl } from '../../../schemas/checks/derived-states.ts';
import {
  CHECK_SCHEMA_VERSION,
  confirmOriginRequestSchema,
  createOriginRequestSchema,
  namedOriginAnswerSchema,
  originAnswerSchema,
  originListSchema,
} from '../../../schemas/checks/http.ts';
import type { ProofReading } from '../../../topics/ports/proofs.ts';
import { isRemembered } from '../../http/records/remembered.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { type CheckRequest, checkAgent, checkMember, checkOwner } from '../audiences.ts';
import { originAnswer } from '../check-answers.ts';
import { checksReader, listOrigins } from '../check-reading.ts';
import { partyOf } from '../party.ts';

const NAME = {
  body: json(createOriginRequestSchema),
  success: { status: 201, schema: namedOriginAnswerSchema, description: 'The origin with its challenge' },
  errors: ['idempotency_conflict', 'limit_reached'],
} as const;

export const createOriginRoute = checkAgent.post('/origins', {
  ...NAME,
  name: 'createCheckOrigin',
  summary: 'Name an origin to check, and get its challenge',
  description:
    'Names an origin and returns its challenge: a text to publish at an address of the origin. An origin that the workspace already has stays the same one; it gets a new challenge once the last one has expired. In a preview without a free origin, another origin replaces the latest one, as long as no run is verified or under way. That charges nothing, and `replacedOrigin` names the former one.',
  handle: nameOrigin,
});

export const createWorkspaceOriginRoute = checkOwner.post('/origins', {
  ...NAME,
  name: 'createWorkspaceCheckOrigin',
  summary: 'Name an origin to check, and get its challenge, as the owner',
  description: 'Names an origin as an agent does. The audit log notes it.',
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
  const {
    originId: created,
    replacedOrigin,
    ...document
  } = await submit({
    topic: 'checks',
    key: installationId,
    type: 'create-origin',
    input: { originId, origin, token },
    digestInput: { installationId, ...body, origin },
    idempotencyKey,
  });
  const named = originAnswer(created, document, clock.now());
  return { body: replacedOrigin === undefined ? named : { ...named, replacedOrigin } };
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

const PROVED = {
  state: 'verified',
  verifiedAt: '2026-08-24T10:00:00.000Z',
  renewBy: '2026-11-22T10:00:00.000Z',
};

const CONFIRM_AS_AGENT = 'confirmCheckOrigin';
const CONFIRM_AS_OWNER = 'confirmWorkspaceCheckOrigin';

const CONFIRM = {
  body: json(confirmOriginRequestSchema),
  success: { status: 200, schema: originAnswerSchema, example: PROVED, description: 'The proved origin' },
  errors: ['idempotency_conflict', 'state_conflict'],
} as const;

export const confirmOriginRoute = checkAgent.post('/origins/:originId/confirm', {
  ...CONFIRM,
  name: CONFIRM_AS_AGENT,
  summary: 'Prove an origin by its published challenge',
  description:
    'Fetches the challenge from the origin and proves the origin with it. The file has to stay published, because every run looks for it again. A proof has to be renewed by `renewBy`, with the same request and a new `idempotencyKey`.',
  handle: (request) => confirmOrigin(CONFIRM_AS_AGENT, request),
});

export const confirmWorkspaceOriginRoute = checkOwner.post('/origins/:originId/confirm', {
  ...CONFIRM,
  name: CONFIRM_AS_OWNER,
  summary: 'Prove an origin by its published challenge, as the owner',
  description: 'Proves an origin as an agent does. The audit log notes it.',
  handle: (request) => confirmOrigin(CONFIRM_AS_OWNER, request),
});

interface Confirmation extends CheckRequest<z.infer<typeof confirmOriginRequestSchema>> {
  readonly params: { readonly originId: string };
}

async function confirmOrigin(
  operation: string,
  { workspace, params: { originId }, body: { idempotencyKey, ...body }, services, submit }: Confirmation,
) {
  const { installationId } = workspace;
  const origin = await checksReader.row(services.store, installationId, 'origin', originId);
  if (origin === null) {
    throw serviceError('not_found', {
      at: 'path.originId',
      seen: 'the id of no origin',
      expected: 'the id of an origin of this workspace',
    });
  }
  const file = { url: challengeUrl(originId, origin), content: challengeContent(originId, origin) };
  // A challenge that has ended is not looked for, nor is one whose confirmation is remembered: the fold answers both.
  const isDecided =
    services.clock.now() >= origin.endsAt ||
    (await isRemembered(services, checksReader.aggregate(installationId), operation, idempotencyKey));
  const reading: ProofReading = isDecided
    ? { kind: 'failed', reason: 'timeout' }
    : await services.proofs.read(file, partyOf(workspace));
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

export const listWorkspaceOriginsRoute = checkMember.get('/origins', {
  name: 'listWorkspaceCheckOrigins',
  summary: 'List the origins of the browser checks of a workspace',
  description: 'Returns the origins of the workspace, newest first.',
  success: { status: 200, schema: originListSchema, description: 'The origins, newest first' },
  async handle({ workspace, services }) {
    const { found, unreadable } = await listOrigins(services, workspace.installationId);
    const now = services.clock.now();
    const origins = found.map(({ originId, document }) => originAnswer(originId, document, now));
    return { body: { schemaVersion: CHECK_SCHEMA_VERSION, origins }, unreadable };
  },
});
