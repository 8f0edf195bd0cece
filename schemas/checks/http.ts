import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { exampleId, idSchema } from '../base/ids.ts';
import { cursorSchema, nextCursorSchema, pageLimitSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { planSchema, workspaceStateSchema } from '../workspaces/lifecycle.ts';
import { browserStateSchema } from './browser-state.ts';
import {
  checkedOriginSchema,
  profileConfigurationSchema,
  suiteConfigurationSchema,
} from './configuration.ts';
import { failureSchema, flowResultSchema, runStatusSchema } from './results.ts';

/** The version marker of every request and answer here. */
export const CHECK_SCHEMA_VERSION = '2026-08-24';

const count = z.int().nonnegative();
const schemaVersion = z.literal(CHECK_SCHEMA_VERSION).describe('The version of this contract.');
const originId = idSchema('origin').describe('The origin of every page.');
const accessProfileId = idSchema('accessProfile');
const suiteId = idSchema('suite');
const runId = idSchema('run');
const versioned = { schemaVersion, idempotencyKey: idempotencyKeySchema };
const verificationMethod = z
  .literal('well_known_file')
  .describe('The way to prove the origin: a file at a fixed address.');
const ORIGIN = 'https://app.example.com';

/** The bodies of requests. */
export const createOriginRequestSchema = z
  .strictObject({
    ...versioned,
    origin: checkedOriginSchema.describe('An HTTPS origin with a host name and without a port.'),
    verificationMethod,
  })
  .meta({ id: 'CreateCheckOriginRequest', description: 'An origin to check.' });

export const confirmOriginRequestSchema = z
  .strictObject(versioned)
  .meta({ id: 'ConfirmCheckOriginRequest', description: 'The request to look for the challenge.' });

export const createProfileRequestSchema = z
  .strictObject({
    ...versioned,
    originId: idSchema('origin').describe('The origin that it is for.'),
    ...profileConfigurationSchema.shape,
  })
  .meta({ id: 'CreateAccessProfileRequest', description: 'An access profile to create.' });

export const createSuiteRequestSchema = z
  .strictObject({
    ...versioned,
    originId,
    accessProfileId: accessProfileId
      .optional()
      .describe('The access profile of its runs; absent: a desktop browser.'),
    ...suiteConfigurationSchema.shape,
  })
  .meta({ id: 'CreateCheckSuiteRequest', description: 'A suite to create.' });

export const createRunRequestSchema = z
  .strictObject({ ...versioned, suiteId })
  .meta({ id: 'CreateCheckRunRequest', description: 'A suite to run.' });

/** Path and query parameters. */
export const runsQuerySchema = z.strictObject({
  suiteId: suiteId.optional().describe('Only runs of this suite.'),
  cursor: cursorSchema(runId),
  limit: pageLimitSchema,
});

const challengeSchema = z
  .strictObject({
    url: z.string().meta({
      description: 'The address at which to publish it, as `text/plain`.',
      get example() {
        return `${ORIGIN}/.well-known/svccheck/${exampleId('origin')}.txt`;
      },
    }),
    content: z.string().meta({
      description: 'The exact text.',
      get example() {
        return `svccheck=${exampleId('origin')}.abcdefghijklmnopqrstuvwx`;
      },
    }),
    expiresAt: isoTimeSchema.meta({
      description: 'The time after which it no longer proves anything.',
      example: '2026-09-14T10:00:00.000Z',
    }),
  })
  .meta({ id: 'CheckChallenge', description: 'The text that proves an origin.' });

/** Answers. */
export const originAnswerSchema = z
  .strictObject({
    schemaVersion,
    originId: idSchema('origin'),
    origin: z.string().meta({ description: 'The origin as its address.', example: ORIGIN }),
    verificationMethod,
    state: z.enum(['pending', 'verified']).describe('`verified` from a confirmation until `renewBy`.'),
    challenge: challengeSchema,
    createdAt: isoTimeSchema,
    verifiedAt: isoTimeSchema
      .nullable()
      .meta({ description: 'The time of the latest confirmation; null before the first.', example: null }),
    renewBy: isoTimeSchema.nullable().meta({
      description: 'The time by which the proof has to be renewed; null before the first confirmation.',
      example: null,
    }),
  })
  .meta({ id: 'CheckOrigin', description: 'An origin with its challenge.' });

export const namedOriginAnswerSchema = originAnswerSchema
  .extend({
    replacedOrigin: z
      .string()
      .optional()
      .describe('The former origin of the preview, if this one has replaced it. Its id is unknown now.'),
  })
  .meta({ id: 'NamedCheckOrigin', description: 'An origin that was named, with its challenge.' });

export const profileAnswerSchema = z
  .strictObject({
    schemaVersion,
    accessProfileId,
    originId: idSchema('origin').describe('The origin that it is for.'),
    ...profileConfigurationSchema.shape,
    createdAt: isoTimeSchema,
  })
  .meta({ id: 'AccessProfile', description: 'The way in which runs open pages.' });

export const suiteAnswerSchema = z
  .strictObject({
    schemaVersion,
    suiteId,
    originId,
    accessProfileId: accessProfileId.nullable().meta({
      description: 'The access profile of its runs; null: a desktop browser.',
      example: null,
    }),
    ...suiteConfigurationSchema.shape,
    createdAt: isoTimeSchema,
  })
  .meta({ id: 'CheckSuite', description: 'A suite of flows.' });

export const runAnswerSchema = z
  .strictObject({
    schemaVersion,
    runId,
    suiteId,
    originId: idSchema('origin'),
    status: runStatusSchema,
    verified: z.boolean().meta({ description: 'Only true establishes a passing result.', example: true }),
    flows: z.array(flowResultSchema).describe('The results of the flows; empty before the end.'),
    failure: failureSchema
      .nullable()
      .meta({ description: 'The first failure; null if there is none.', example: null }),
    consoleErrors: count.meta({ description: 'Errors in the console and uncaught exceptions.', example: 0 }),
    networkErrors: count.meta({
      description: 'Requests that failed or were answered with 400 or more.',
      example: 0,
    }),
    blockedRequests: count.meta({
      description: 'Requests to addresses that a run may not reach.',
      example: 0,
    }),
    finalUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'Origin and path of the page that is shown at the end; null if no server has answered with it.',
        example: `${ORIGIN}/sign-up`,
      }),
    requestedAt: isoTimeSchema,
    startedAt: isoTimeSchema.nullable().meta({
      description: 'The time at which the runner took it.',
      example: '2026-09-07T10:00:01.000Z',
    }),
    endedAt: isoTimeSchema.nullable().meta({ example: '2026-09-07T10:00:03.000Z' }),
    screenshotExpiresAt: isoTimeSchema.nullable().meta({
      description: 'The end of the screenshot, which owners and admins can see; null if there is none.',
      example: '2026-09-14T10:00:03.000Z',
    }),
  })
  .meta({ id: 'CheckRun', description: 'A run of a suite.' });

export const originListSchema = z
  .strictObject({ schemaVersion, origins: z.array(originAnswerSchema), ...unreadableMember })
  .meta({ id: 'CheckOriginList', description: 'Origins, newest first.' });

export const suiteListSchema = z
  .strictObject({ schemaVersion, suites: z.array(suiteAnswerSchema), ...unreadableMember })
  .meta({ id: 'CheckSuiteList', description: 'Suites, newest first.' });

export const profileListSchema = z
  .strictObject({ schemaVersion, accessProfiles: z.array(profileAnswerSchema), ...unreadableMember })
  .meta({ id: 'AccessProfileList', description: 'Access profiles, newest first.' });

export const runListSchema = z
  .strictObject({
    schemaVersion,
    runs: z.array(runAnswerSchema),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'CheckRunList', description: 'One page of runs, newest first.' });

export const checkProductSchema = z
  .strictObject({
    installationId: idSchema('installation'),
    product: z.literal('svccheck'),
    state: workspaceStateSchema,
    plan: planSchema,
    limits: z
      .strictObject({
        origins: quotaSchema.describe('Origins ever created.'),
        suites: quotaSchema.describe('Suites ever created.'),
        runs: quotaSchema.describe('Runs: of the preview, or of the calendar month of a claimed workspace.'),
      })
      .meta({ id: 'CheckLimits', description: 'Limits of browser checks.' }),
    browser: browserStateSchema,
  })
  .meta({ id: 'CheckProduct', description: 'The state and the limits of browser checks in a workspace.' });
