import type { z } from 'zod';
import { serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { screenshotBlob } from '../../../schemas/checks/blobs.ts';
import {
  CHECK_SCHEMA_VERSION,
  createRunRequestSchema,
  runAnswerSchema,
  runListSchema,
  runsQuerySchema,
} from '../../../schemas/checks/http.ts';
import { json } from '../../http/routing/audience.ts';
import { type CheckRequest, checkAgent, checkMember, checkOwner } from '../audiences.ts';
import { runAnswer } from '../check-answers.ts';
import { partyOf } from '../party.ts';
import { listRuns, readRun } from '../read-runs.ts';

const QUEUED = {
  status: 'queued',
  verified: false,
  flows: [],
  finalUrl: null,
  startedAt: null,
  endedAt: null,
  screenshotExpiresAt: null,
};

const RUN = {
  switch: 'runs',
  whenPaused: 'refused',
  body: json(createRunRequestSchema),
  success: { status: 202, schema: runAnswerSchema, example: QUEUED, description: 'The run, on its way' },
  errors: ['idempotency_conflict', 'state_conflict', 'limit_reached', 'not_found'],
} as const;

export const createRunRoute = checkAgent.post('/runs', {
  ...RUN,
  name: 'createCheckRun',
  summary: 'Run a suite',
  description:
    'Sends a suite to the runner. Read the run until its status is `passed`, `failed`, `errored` or `timed_out`.',
  handle: requestRun,
});

export const createWorkspaceRunRoute = checkOwner.post('/runs', {
  ...RUN,
  name: 'createWorkspaceCheckRun',
  summary: 'Run a suite, as the owner',
  description: 'Runs a suite as an agent does. The audit log notes it.',
  handle: requestRun,
});

async function requestRun({
  workspace,
  body: { suiteId, idempotencyKey },
  services,
  submit,
}: CheckRequest<z.infer<typeof createRunRequestSchema>>) {
  const { installationId } = workspace;
  const made = idFrom('run', services.entropy.bytes(ID_BYTES));
  const { runId, originId, requestedAt } = await submit({
    topic: 'checks',
    key: installationId,
    type: 'request-run',
    input: { runId: made, suiteId, creator: partyOf(workspace).creator },
    digestInput: { installationId, suiteId },
    idempotencyKey,
  });
  const queued = {
    suiteId,
    originId,
    status: 'queued',
    verified: false,
    requestedAt,
    startedAt: null,
    endedAt: null,
    deadlineAt: requestedAt,
    driver: null,
    findings: null,
    screenshot: null,
  } as const;
  return { body: runAnswer(runId, queued, requestedAt) };
}

export const readRunRoute = checkAgent.get('/runs/:runId', {
  name: 'readCheckRun',
  summary: 'Read a run',
  description: 'Returns a run. Only `verified: true` establishes a passing result.',
  success: { status: 200, schema: runAnswerSchema, description: 'The run' },
  async handle({ params: { installationId, runId }, services }) {
    const run = await readRun(services, installationId, runId);
    return { body: runAnswer(runId, run, services.clock.now()) };
  },
});

export const listWorkspaceRunsRoute = checkMember.get('/runs', {
  name: 'listWorkspaceCheckRuns',
  summary: 'List the runs of a workspace',
  description: 'Returns the runs of the workspace, newest first.',
  query: runsQuerySchema,
  success: { status: 200, schema: runListSchema, description: 'One page of runs, newest first' },
  async handle({ workspace, query: { suiteId, cursor, limit }, services }) {
    const { runs, unreadable, nextCursor } = await listRuns(services, workspace.installationId, {
      suiteId,
      cursor,
      limit,
    });
    const now = services.clock.now();
    const answers = runs.map(({ runId, run }) => runAnswer(runId, run, now));
    return { body: { schemaVersion: CHECK_SCHEMA_VERSION, runs: answers, nextCursor }, unreadable };
  },
});

export const readWorkspaceRunRoute = checkMember.get('/runs/:runId', {
  name: 'readWorkspaceCheckRun',
  summary: 'Read a run of a workspace',
  description: 'Returns a run of the workspace.',
  success: { status: 200, schema: runAnswerSchema, description: 'The run' },
  async handle({ workspace, params: { runId }, services }) {
    const run = await readRun(services, workspace.installationId, runId);
    return { body: runAnswer(runId, run, services.clock.now()) };
  },
});

export const readScreenshotRoute = checkOwner.get('/runs/:runId/screenshot', {
  name: 'readCheckScreenshot',
  summary: 'View the last page of a run',
  description: 'Returns the last page of the run as a picture. The audit log notes each look.',
  whenEnded: 'allowed',
  success: {
    status: 200,
    attachment: 'image/png',
    file: 'PNG',
    description: 'The last page as the run left it',
  },
  recordsRead: { action: 'checks.read-screenshot' },
  async handle({ workspace: { installationId, expiresAt }, params: { runId }, services }) {
    const { blobs, clock } = services;
    const { screenshot } = await readRun(services, installationId, runId);
    const isOver = expiresAt !== null && clock.now() >= expiresAt;
    const pieces =
      screenshot === null || isOver
        ? null
        : await blobs.read(screenshotBlob(installationId, runId, screenshot));
    if (pieces === null) {
      throw serviceError('not_found', {
        at: 'path.runId',
        seen: 'a run without a screenshot',
        expected: 'a run whose screenshot has not ended',
      });
    }
    const read: Uint8Array[] = [];
    for await (const piece of pieces) read.push(piece);
    return { attachment: { contentType: 'image/png', fileName: `${runId}.png`, bytes: Buffer.concat(read) } };
  },
});
