import type { z } from 'zod';
import {
  flowSchema,
  gotoStepSchema,
  headingStepSchema,
  statusStepSchema,
  textStepSchema,
  titleStepSchema,
} from '../../schemas/checks/configuration.ts';
import {
  CHECK_SCHEMA_VERSION,
  checkProductSchema,
  confirmOriginRequestSchema,
  createOriginRequestSchema,
  createProfileRequestSchema,
  createRunRequestSchema,
  createSuiteRequestSchema,
  originAnswerSchema,
  originListSchema,
  profileAnswerSchema,
  profileListSchema,
  runAnswerSchema,
  runListSchema,
  suiteAnswerSchema,
  suiteListSchema,
} from '../../schemas/checks/http.ts';
import {
  failureReasonSchema,
  failureSchema,
  flowResultSchema,
  runStatusSchema,
  stepResultSchema,
} from '../../schemas/checks/results.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const schemaVersion = CHECK_SCHEMA_VERSION;
const VERSION = 'The version of this interface.';
const idempotencyKey = 'check-1';
const at = '2026-08-24T10:00:00.000Z';
const later = '2026-08-24T10:00:03.000Z';
const originId = 'ori_abcdefghijklmnopqrstuvwx';
const accessProfileId = 'acc_abcdefghijklmnopqrstuvwx';
const suiteId = 'sui_abcdefghijklmnopqrstuvwx';
const runId = 'run_abcdefghijklmnopqrstuvwx';
const origin = EXAMPLES.origin;
const url = `${origin}/sign-up`;
const heading = 'Create your account';

const CHALLENGE = {
  url: `${origin}/.well-known/svccheck/${originId}.txt`,
  content: `svccheck=${originId}.abcdefghijklmnopqrstuvwx`,
  expiresAt: '2026-08-31T10:00:00.000Z',
};
const ORIGIN: z.input<typeof originAnswerSchema> = {
  schemaVersion,
  originId,
  origin,
  verificationMethod: 'well_known_file',
  state: 'pending',
  challenge: CHALLENGE,
  createdAt: at,
  verifiedAt: null,
  renewBy: null,
};
const renewBy = '2026-11-22T10:00:00.000Z';
const VERIFIED: z.input<typeof originAnswerSchema> = {
  ...ORIGIN,
  state: 'verified',
  challenge: { ...CHALLENGE, expiresAt: renewBy },
  verifiedAt: at,
  renewBy,
};
const PROFILE = {
  name: 'Phone in Germany',
  device: 'mobile' as const,
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  allowedHosts: ['cdn.example.com'],
};
const ACCESS_PROFILE: z.input<typeof profileAnswerSchema> = {
  schemaVersion,
  accessProfileId,
  originId,
  ...PROFILE,
  createdAt: at,
};
const GOTO = { action: 'goto' as const, url };
const HEADING = { action: 'expect_heading' as const, text: heading, level: 1 };
const FLOW = { name: 'Sign up', steps: [GOTO, HEADING], timeoutMs: 20_000 };
const SUITE: z.input<typeof suiteAnswerSchema> = {
  schemaVersion,
  suiteId,
  originId,
  accessProfileId: null,
  name: 'Smoke',
  flows: [FLOW],
  createdAt: at,
};
const STEP_RESULT = {
  action: 'goto' as const,
  status: 'passed' as const,
  durationMs: 412,
  message: 'Opened /sign-up with the status 200.',
};
const FAILURE = {
  reason: 'heading_missing' as const,
  message: 'Sign up: No visible heading "Create your account". Compare it with the page, letter by letter.',
};
const FLOW_RESULT = { name: 'Sign up', status: 'passed' as const, durationMs: 471, steps: [STEP_RESULT] };
const QUEUED: z.input<typeof runAnswerSchema> = {
  schemaVersion,
  runId,
  suiteId,
  originId,
  status: 'queued',
  verified: false,
  flows: [],
  failure: null,
  consoleErrors: 0,
  networkErrors: 0,
  blockedRequests: 0,
  finalUrl: null,
  requestedAt: at,
  startedAt: null,
  endedAt: null,
  screenshotExpiresAt: null,
};
const RUN: z.input<typeof runAnswerSchema> = {
  ...QUEUED,
  status: 'passed',
  verified: true,
  flows: [FLOW_RESULT],
  finalUrl: url,
  startedAt: '2026-08-24T10:00:01.000Z',
  endedAt: later,
  screenshotExpiresAt: '2026-08-31T10:00:03.000Z',
};
const QUOTA = { limit: 20, used: 3, remaining: 17, resetsAt: null };
const LIMITS = {
  origins: { limit: 1, used: 1, remaining: 0, resetsAt: null },
  suites: { limit: 2, used: 1, remaining: 1, resetsAt: null },
  runs: QUOTA,
};

/** Examples that operations and parameters share. */
export const CHECK_EXAMPLES = { originId, suiteId, runId, verifiedOrigin: VERIFIED, queuedRun: QUEUED };

const PROFILE_MEMBERS = {
  device: '`desktop`: 1280 by 720 pixels; `mobile`: 390 by 844 with touch.',
  locale: 'The language of the browser.',
  timezone: 'The time zone of the browser.',
  allowedHosts:
    'The only hosts that pages may load parts from, besides the origin; absent: every public host.',
};
const SUITE_MEMBERS = { originId: 'The origin of every page.', flows: 'The flows, one after the other.' };

const requests = [
  nameSchema(
    'CreateCheckOriginRequest',
    createOriginRequestSchema,
    'An origin to check.',
    { schemaVersion, idempotencyKey, origin, verificationMethod: 'well_known_file' },
    {
      schemaVersion: VERSION,
      origin: 'An HTTPS origin with a host name and without a port.',
      verificationMethod: 'The way to prove the origin: a file at a fixed address.',
    },
  ),
  nameSchema(
    'ConfirmCheckOriginRequest',
    confirmOriginRequestSchema,
    'The request to look for the challenge.',
    { schemaVersion, idempotencyKey: 'confirm-1' },
    { schemaVersion: VERSION },
  ),
  nameSchema(
    'CreateAccessProfileRequest',
    createProfileRequestSchema,
    'An access profile to create.',
    { schemaVersion, idempotencyKey, originId, ...PROFILE },
    { schemaVersion: VERSION, originId: 'The origin that it is for.', ...PROFILE_MEMBERS },
  ),
  nameSchema(
    'CreateCheckSuiteRequest',
    createSuiteRequestSchema,
    'A suite to create.',
    { schemaVersion, idempotencyKey, originId, name: 'Smoke', flows: [FLOW] },
    {
      schemaVersion: VERSION,
      ...SUITE_MEMBERS,
      accessProfileId: 'The access profile of its runs; absent: a desktop browser.',
    },
  ),
  nameSchema(
    'CreateCheckRunRequest',
    createRunRequestSchema,
    'A suite to run.',
    { schemaVersion, idempotencyKey, suiteId },
    { schemaVersion: VERSION, suiteId: 'The suite.' },
  ),
];

const steps = [
  nameSchema('CheckFlow', flowSchema, 'Steps that a browser takes one after the other.', FLOW, {
    steps: 'The steps. The first one is `goto`.',
    timeoutMs: 'The time for all steps, in milliseconds.',
  }),
  nameSchema(
    'GotoStep',
    gotoStepSchema,
    'Opens a page. A status other than 2xx or 304 fails, unless `expect_status` follows before the next `goto`.',
    GOTO,
    {
      action: 'The step.',
      url: 'The address of a page of the origin.',
    },
  ),
  nameSchema('ExpectHeadingStep', headingStepSchema, 'Waits for a visible heading.', HEADING, {
    action: 'The step.',
    text: 'The whole text of the heading as a person sees it, without labels and texts of pictures.',
    level: 'The level of the heading; absent: any.',
  }),
  nameSchema(
    'ExpectTitleStep',
    titleStepSchema,
    'Waits for a title of the page.',
    { action: 'expect_title', text: 'Sign up' },
    { action: 'The step.', text: 'The whole title.' },
  ),
  nameSchema(
    'ExpectTextStep',
    textStepSchema,
    'Waits for a visible text, or the value of a field.',
    { action: 'expect_text', text: 'Free for 72 hours' },
    { action: 'The step.', text: 'A part of a text, in any case.' },
  ),
  nameSchema(
    'ExpectStatusStep',
    statusStepSchema,
    'Compares the status of the page that is shown, wherever `goto` has led.',
    { action: 'expect_status', status: 200 },
    { action: 'The step.', status: 'The HTTP status.' },
  ),
];

const answers = [
  nameSchema('CheckOrigin', originAnswerSchema, 'An origin with its challenge.', ORIGIN, {
    schemaVersion: VERSION,
    originId: 'The origin.',
    origin: 'The origin as its address.',
    verificationMethod: 'The way to prove it.',
    state: '`verified` from a confirmation until `renewBy`.',
    challenge: 'The text that proves the origin.',
    verifiedAt: 'The time of the latest confirmation, in UTC; null before the first.',
    renewBy: 'The time by which the proof has to be renewed, in UTC; null before the first confirmation.',
  }),
  nameSchema(
    'CheckChallenge',
    originAnswerSchema.shape.challenge,
    'The text that proves an origin.',
    CHALLENGE,
    {
      url: 'The address at which to publish it, as `text/plain`.',
      content: 'The exact text.',
      expiresAt: 'The time after which it no longer proves anything, in UTC.',
    },
  ),
  nameSchema(
    'CheckOriginList',
    originListSchema,
    'Origins.',
    { schemaVersion, origins: [VERIFIED] },
    {
      schemaVersion: VERSION,
      origins: 'The origins, newest first.',
    },
  ),
  nameSchema('AccessProfile', profileAnswerSchema, 'The way in which runs look at pages.', ACCESS_PROFILE, {
    schemaVersion: VERSION,
    accessProfileId: 'The access profile.',
    originId: 'The origin that it is for.',
    ...PROFILE_MEMBERS,
  }),
  nameSchema(
    'AccessProfileList',
    profileListSchema,
    'Access profiles.',
    { schemaVersion, accessProfiles: [ACCESS_PROFILE] },
    {
      schemaVersion: VERSION,
      accessProfiles: 'The access profiles, newest first.',
    },
  ),
  nameSchema('CheckSuite', suiteAnswerSchema, 'A suite of flows.', SUITE, {
    schemaVersion: VERSION,
    suiteId: 'The suite.',
    ...SUITE_MEMBERS,
    accessProfileId: 'The access profile of its runs; null: a desktop browser.',
  }),
  nameSchema(
    'CheckSuiteList',
    suiteListSchema,
    'Suites.',
    { schemaVersion, suites: [SUITE] },
    {
      schemaVersion: VERSION,
      suites: 'The suites, newest first.',
    },
  ),
  nameSchema('CheckRun', runAnswerSchema, 'A run of a suite.', RUN, {
    schemaVersion: VERSION,
    runId: 'The run.',
    suiteId: 'The suite.',
    originId: 'The origin.',
    verified: 'Only true establishes a passing result.',
    flows: 'The results of the flows; empty before the end.',
    failure: 'The first failure; null if there is none.',
    consoleErrors: 'Errors in the console and uncaught exceptions.',
    networkErrors: 'Requests that failed or were answered with 400 or more.',
    blockedRequests: 'Requests to addresses that a run may not reach.',
    finalUrl: 'Origin and path of the page that is shown at the end; null if no server has answered with it.',
    requestedAt: 'The time of the request, in UTC.',
    startedAt: 'The time at which the runner took it, in UTC.',
    endedAt: 'The time of its end, in UTC.',
    screenshotExpiresAt:
      'The end of the screenshot, which owners and admins can see, in UTC; null if there is none.',
  }),
  nameSchema(
    'CheckRunList',
    runListSchema,
    'One page of runs.',
    { schemaVersion, runs: [RUN], nextCursor: null },
    {
      schemaVersion: VERSION,
      runs: 'The runs, newest first.',
    },
  ),
  nameSchema('CheckRunStatus', runStatusSchema, 'The status of a run; the last four are ends.', 'passed'),
  nameSchema('CheckFailure', failureSchema, 'The reason for which a run did not pass.', FAILURE, {
    message: 'What happened, and what to do about it.',
  }),
  nameSchema(
    'CheckFailureReason',
    failureReasonSchema,
    'The reasons for which a run does not pass.',
    'heading_missing',
  ),
  nameSchema('CheckFlowResult', flowResultSchema, 'The result of a flow.', FLOW_RESULT, {
    name: 'The name of the flow.',
    status: '`skipped` after the first failure.',
    durationMs: 'Its duration in milliseconds.',
    steps: 'The results of its steps.',
  }),
  nameSchema('CheckStepResult', stepResultSchema, 'The result of a step.', STEP_RESULT, {
    action: 'The step.',
    status: '`skipped` after the first failure.',
    durationMs: 'Its duration in milliseconds.',
    message: 'What happened, in a sentence.',
  }),
  nameSchema(
    'CheckProduct',
    checkProductSchema,
    'The state and the limits of browser checks in a workspace.',
    {
      installationId: EXAMPLES.installationId,
      product: 'svccheck',
      state: 'preview',
      plan: 'preview',
      limits: LIMITS,
    },
    { product: 'The product.' },
  ),
  nameSchema('CheckLimits', checkProductSchema.shape.limits, 'Limits of browser checks.', LIMITS, {
    origins: 'Origins ever created.',
    suites: 'Suites ever created.',
    runs: 'Runs: of the preview, or of the calendar month of a claimed workspace.',
  }),
];

export const checkSchemas = [...requests, ...steps, ...answers];
