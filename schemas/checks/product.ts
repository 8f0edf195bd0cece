import { z } from 'zod';
import { limit } from '../base/limit.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { planLimit, planQuota } from '../workspaces/product-quotas.ts';
import { checksCommands } from './commands.ts';
import { checksRootSchema, checksRowSchemas, EMPTY_CHECKS_ROOT } from './documents.ts';
import { CHECK_SCHEMA_VERSION, checkProductSchema } from './http.ts';
import { checkRunItems } from './run-items.ts';

/** The browser check. */
export const checksProduct = defineProduct({
  name: 'svccheck',
  optIn: false,
  title: 'browser check',
  contractVersion: CHECK_SCHEMA_VERSION,
  topic: 'checks',
  partitions: 4,
  carries: 'lifecycle, origin, confirmation, access profile, suite, run and its result, erase',
  commands: checksCommands,
  root: { schema: checksRootSchema, empty: EMPTY_CHECKS_ROOT },
  rows: checksRowSchemas,
  works: {
    'check-runs': {
      key: 'run',
      partitions: 4,
      items: checkRunItems,
      carries: 'one run of a claimed workspace for the browser',
      reader: 'runner',
      role: 'runner',
    },
    /** A separate topic: however many runs of previews wait, a claimed workspace's run is not behind them. */
    'check-preview-runs': {
      key: 'run',
      partitions: 4,
      items: checkRunItems,
      carries: 'one run of a preview for the browser',
      reader: 'runner',
      role: 'runner',
    },
  },
  credentials: {},
  limits: {
    group: 'checks',
    schema: z.strictObject({
      challengeMs: limit('lifetime of a challenge', 7 * DAY_MS),
      proofMs: limit('time after which the proof of an origin has to be renewed', 90 * DAY_MS),
      accessProfiles: limit('access profiles ever', 20),
      runsKept: limit('runs that are kept; a further one removes the oldest', 600),
      queueMs: limit('time in which a runner has to take a run', 10 * MINUTE_MS),
      graceMs: limit('time in which the result of a run has to be reported', 20 * SECOND_MS),
      screenshotMs: limit('retention of a screenshot', 7 * DAY_MS),
    }),
  },
  planLimits: {
    checkOrigins: planQuota(
      'origins ever',
      { preview: 1, free: 5 },
      { at: 'plan.checkOrigins', ever: 'originsMade', shownAs: 'origins' },
    ),
    checkSuites: planQuota(
      'suites ever',
      { preview: 2, free: 20 },
      { at: 'plan.checkSuites', ever: 'suitesMade', shownAs: 'suites' },
    ),
    checkRuns: planQuota(
      'runs; on Free in a calendar month (UTC)',
      { preview: 20, free: 300 },
      { at: 'plan.checkRuns', ever: 'runsMade', inMonth: 'runsInMonth', shownAs: 'runs', isActivity: true },
    ),
    checkRunsAtOnce: planLimit('runs at the same time', { preview: 1, free: 5 }),
    checkFlows: planLimit('flows of a suite', { preview: 1, free: 5 }),
    checkFlowMs: planLimit('duration of a flow', { preview: 30 * SECOND_MS, free: 60 * SECOND_MS }),
  },
  shownLimits: ({ accessProfiles, challengeMs, proofMs }) => ({
    accessProfiles,
    challengeDays: challengeMs / DAY_MS,
    proofDays: proofMs / DAY_MS,
  }),
  usedLimits: checkProductSchema.shape.limits,
  counters: {
    checkOrigins: { member: 'originsMade', example: 1 },
    checkSuites: { member: 'suitesMade', example: 1 },
    checkRuns: { member: 'runsMade', example: 3 },
  },
  verifiedResult: { kind: 'run', text: 'a verified run of a browser check' },
  transient: { commands: ['create-origin', 'confirm-origin'], lifeMs: ({ challengeMs }) => challengeMs },
});
