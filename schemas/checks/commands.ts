import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleCommands } from '../workspaces/lifecycle.ts';
import { profileConfigurationSchema, suiteConfigurationSchema } from './configuration.ts';
import {
  challengeTokenSchema,
  originDocumentSchema,
  runDocumentSchema,
  screenshotSchema,
} from './documents.ts';
import { runFindingsSchema } from './results.ts';
import { creatorSchema } from './run-items.ts';
import { tlsCauseSchema } from './tls-causes.ts';

const originId = idSchema('origin');
const accessProfileId = idSchema('accessProfile');
const suiteId = idSchema('suite');
const runId = idSchema('run');
/** Names one attempt to drive a run. */
const driver = z.string().regex(/^[a-z2-7]{24}$/);
const originResult = originDocumentSchema.extend({ originId });
const created = { createdAt: epochMsSchema };

/** The file of the proof as the gateway found it. */
export const proofReadingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('matches') }),
  z.strictObject({
    kind: z.literal('mismatch'),
    status: z.int(),
    contentType: z.string().nullable(),
    length: z.int().nonnegative().nullable(),
  }),
  z.strictObject({
    kind: z.literal('failed'),
    reason: z.enum(['blocked', 'dns', 'connect', 'tls', 'timeout']),
    /** Of `tls`, if it is known. */
    cause: tlsCauseSchema.optional(),
  }),
]);

/** Commands of the topic `checks`; the key is the installation. */
export const checksCommands = {
  ...lifecycleCommands,
  /** An origin with a challenge, or the same one with the next challenge if its last one has ended. */
  'create-origin': {
    input: z.strictObject({ originId, origin: originSchema, token: challengeTokenSchema }),
    result: originResult.extend({
      /** The origin that this one took the place of; absent if none. */
      replacedOrigin: originSchema.optional(),
    }),
  },
  'confirm-origin': {
    input: z.strictObject({
      originId,
      /** The challenge that was looked for. */
      token: challengeTokenSchema,
      reading: proofReadingSchema,
    }),
    result: originResult,
  },
  'create-profile': {
    input: z.strictObject({ accessProfileId, originId, configuration: profileConfigurationSchema }),
    result: z.strictObject({ accessProfileId, ...created }),
  },
  'create-suite': {
    input: z.strictObject({
      suiteId,
      originId,
      accessProfileId: accessProfileId.nullable(),
      configuration: suiteConfigurationSchema,
    }),
    result: z.strictObject({ suiteId, ...created }),
  },
  'request-run': {
    input: z.strictObject({ runId, suiteId, creator: creatorSchema }),
    result: runDocumentSchema.pick({ originId: true, requestedAt: true }).extend({ runId }),
  },
  /** From the runner: it is about to open a browser. */
  'begin-run': { input: z.strictObject({ runId, driver }), result: noResult },
  /** From the runner: the end of a run. */
  'finish-run': {
    input: z.strictObject({
      runId,
      driver,
      findings: runFindingsSchema,
      screenshot: screenshotSchema.nullable(),
    }),
    result: noResult,
  },
  /** From the runner: the driver of a run has ended, or its item ended in the dead-letter queue. */
  'abandon-run': { input: z.strictObject({ runId }), result: noResult },
  /** From a reader: the deadline of a run seems to have passed. Changes nothing if it has not. */
  'end-run': { input: z.strictObject({ runId }), result: noResult },
} as const satisfies CommandTable;
