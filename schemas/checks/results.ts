import { z } from 'zod';
import { flowStepSchema } from './configuration.ts';

const count = z.int().nonnegative();
const SENTENCE_CHARACTERS_MAX = 400;
const ADDRESS_CHARACTERS_MAX = 2_048;

/** The ends of a run. */
const endedStatusSchema = z.enum(['passed', 'failed', 'errored', 'timed_out']);
export type EndedStatus = z.infer<typeof endedStatusSchema>;

/** The statuses of a run: two on the way, and four ends. */
export const runStatusSchema = z.enum(['queued', 'running', ...endedStatusSchema.options]).meta({
  id: 'CheckRunStatus',
  description: 'The status of a run; the last four are ends.',
  example: 'passed',
});
export type RunStatus = z.infer<typeof runStatusSchema>;

/** The reasons for which a run does not pass, with the status that each leads to. No other reason exists. */
const FAILURE_STATUSES = {
  http_status: 'failed',
  heading_missing: 'failed',
  assertion: 'failed',
  script_error: 'failed',
  navigation_timeout: 'timed_out',
  dns: 'errored',
  tls: 'errored',
  connect: 'errored',
  blocked_egress: 'errored',
  crash: 'errored',
  ownership_lost: 'errored',
  quota: 'errored',
  internal: 'errored',
} as const satisfies Record<string, EndedStatus>;

export type FailureReason = keyof typeof FAILURE_STATUSES;

const failureReasonSchema = z
  .enum(Object.keys(FAILURE_STATUSES) as [FailureReason, ...FailureReason[]])
  .meta({
    id: 'CheckFailureReason',
    description: 'The reasons for which a run does not pass.',
    example: 'heading_missing',
  });

/**
 * The reason and what to do about it, in a few sentences. Of the texts of a page they hold only its title, visible headings and the
 * text that covers another one, each cut and without hidden characters.
 */
export const failureSchema = z
  .strictObject({
    reason: failureReasonSchema,
    message: z.string().max(SENTENCE_CHARACTERS_MAX).meta({
      description: 'What happened, and what to do about it.',
      example: 'Sign up: No visible heading "Create your account". Visible heading: "Are you a robot?".',
    }),
  })
  .meta({ id: 'CheckFailure', description: 'The reason for which a run did not pass.' });

const status = z.enum(['passed', 'failed', 'skipped']).describe('`skipped` after the first failure.');
const durationMs = count.meta({ example: 412 });

export type Failure = z.infer<typeof failureSchema>;

const stepResultSchema = z
  .strictObject({
    action: z.enum(flowStepSchema.options.map((option) => option.shape.action.value)),
    status,
    durationMs,
    message: z.string().max(SENTENCE_CHARACTERS_MAX).meta({
      description: 'What happened, in a sentence.',
      example: 'Opened /sign-up with the status 200.',
    }),
  })
  .meta({ id: 'CheckStepResult', description: 'The result of a step.' });

export type StepResult = z.infer<typeof stepResultSchema>;

export const flowResultSchema = z
  .strictObject({
    name: z.string().meta({ example: 'Sign up' }),
    status,
    durationMs,
    steps: z.array(stepResultSchema),
  })
  .meta({ id: 'CheckFlowResult', description: 'The result of a flow.' });

export type FlowResult = z.infer<typeof flowResultSchema>;

/** The findings of a run that has ended. */
export const runFindingsSchema = z.strictObject({
  flows: z.array(flowResultSchema),
  /** The first failure; null if the run has passed. */
  failure: failureSchema.nullable(),
  /** Errors in the console and uncaught exceptions. */
  consoleErrors: count,
  /** Requests that failed or were answered with 400 or more, the blocked ones included. */
  networkErrors: count,
  /** Requests that the rules of the egress refused. */
  blockedRequests: count,
  /** Origin and path of the page that is shown at the end; null if no server has answered with it. */
  finalUrl: z.string().max(ADDRESS_CHARACTERS_MAX).nullable(),
});

export type RunFindings = z.infer<typeof runFindingsSchema>;

/** The findings of a run that ended before it opened a page. */
export function nothingFound(failure: Failure): RunFindings {
  return { flows: [], failure, consoleErrors: 0, networkErrors: 0, blockedRequests: 0, finalUrl: null };
}

/** The end of a run with these findings. */
export function statusOf({ failure }: Pick<RunFindings, 'failure'>): EndedStatus {
  return failure === null ? 'passed' : FAILURE_STATUSES[failure.reason];
}

/** Cuts a sentence to the length that results allow. */
export function sentence(text: string): string {
  return text.length <= SENTENCE_CHARACTERS_MAX ? text : `${text.slice(0, SENTENCE_CHARACTERS_MAX - 1)}…`;
}
