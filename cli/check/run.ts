import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure, interruption } from '../failure.ts';
import type { Options } from '../options.ts';
import { facts, table } from '../output/blocks.ts';
import { openProject, type Project } from '../project.ts';
import { withPendingKey } from '../state/pending-keys.ts';
import { requireBrowser } from './browser.ts';
import { CHECK_VERSION } from './version.ts';

const DEFAULT_WAIT_SECONDS = 600;
const FIRST_PAUSE_MS = 200;
/** Growing pauses keep a wait far below the requests that a caller may send in a minute. */
const LONGEST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.3;

const stepOutput = z.object({
  action: z.string(),
  status: z.string(),
  durationMs: z.number(),
  message: z.string(),
});

/** The output of `check run` and `check status`. */
export const runOutput = z.object({
  runId: z.string(),
  suiteId: z.string(),
  status: z.string().describe('`queued`, `running`, `passed`, `failed`, `errored` or `timed_out`'),
  verified: z.boolean().describe('only true establishes a passing result'),
  flows: z.array(
    z.object({ name: z.string(), status: z.string(), durationMs: z.number(), steps: z.array(stepOutput) }),
  ),
  failure: z.object({ reason: z.string(), message: z.string() }).nullable(),
  consoleErrors: z.number(),
  networkErrors: z.number(),
  blockedRequests: z.number().describe('requests to addresses that a run may not reach'),
  finalUrl: z.string().nullable(),
  requestedAt: z.string(),
  endedAt: z.string().nullable(),
});

type Run = z.infer<typeof runOutput>;

/** Runs a suite, and with `--wait` waits for the end of the run. */
export async function createRun(context: CommandContext, options: Options): Promise<Outcome> {
  const project = openProject(context, ['svc', 'help', 'check', 'run']);
  await requireBrowser(project);
  const given = options.optionalText('idempotency-key');
  if (given !== null) return await runSuite(context, project, options, given);
  const work = `check run ${options.text('suite')}`;
  return await withPendingKey(project.folder, context, work, (key) =>
    runSuite(context, project, options, key),
  );
}

async function runSuite(
  context: CommandContext,
  project: Project,
  options: Options,
  idempotencyKey: string,
): Promise<Outcome> {
  const suiteId = options.text('suite');
  const asked = { schemaVersion: CHECK_VERSION, idempotencyKey, suiteId };
  const run = await project.post('/svccheck/runs', runOutput, asked).catch((error: unknown) => {
    const isForgotten = project.folder === null && options.optionalText('idempotency-key') === null;
    throw isForgotten && error instanceof CommandFailure && error.isUnknown
      ? withKey(error, suiteId, idempotencyKey)
      : error;
  });
  if (options.flag('wait')) return await waitForRun(context, project, run.runId, options);
  return { ...runOutcome(run), next: ['svc', 'check', 'status', '--run', run.runId, '--wait'] };
}

/** Names the key of a run that may have started: without a folder, no file keeps it for a repeat. */
function withKey({ message, code, exit }: CommandFailure, suiteId: string, key: string): CommandFailure {
  const next = ['svc', 'check', 'run', '--suite', suiteId, '--idempotency-key', key] as const;
  const text = `${message} It is not known whether the run was started. The command below finds out.`;
  return new CommandFailure(text, { code, exit, next });
}

/** Reads a run, with `--wait` after its end. */
export async function readRun(context: CommandContext, options: Options): Promise<Outcome> {
  const project = openProject(context, ['svc', 'help', 'check', 'run']);
  const runId = options.text('run');
  if (options.flag('wait')) return await waitForRun(context, project, runId, options);
  return runOutcome(await askRun(project, runId));
}

/** @throws {CommandFailure} `still_running` if it takes too long */
async function waitForRun(
  { signal, progress }: CommandContext,
  project: Project,
  runId: string,
  options: Options,
): Promise<Outcome> {
  const seconds = options.optionalText('timeout') === null ? DEFAULT_WAIT_SECONDS : options.number('timeout');
  const deadline = Date.now() + seconds * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; Date.now() < deadline; pauseMs *= PAUSE_GROWTH) {
    const run = await askRun(project, runId);
    if (run.endedAt !== null) return runOutcome(run);
    progress.update(`The run is ${run.status}`);
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {
      throw interruption();
    });
  }
  throw new CommandFailure(`The run has not ended within ${seconds} s. It continues.`, {
    code: 'still_running',
    exit: 'failed',
    next: ['svc', 'check', 'status', '--run', runId, '--wait'],
  });
}

async function askRun({ get }: Project, runId: string): Promise<Run> {
  return await get(`/svccheck/runs/${runId}`, runOutput);
}

/** Shows a run. One that ended without being verified has not passed. */
function runOutcome(run: Run): Outcome {
  const steps = run.flows.flatMap((flow) => flow.steps);
  return {
    data: run,
    blocks: [
      facts(
        ['run', run.runId],
        ['status', run.status],
        ['verified', run.verified ? 'yes' : 'no'],
        ...(run.failure === null ? [] : [[run.failure.reason, run.failure.message] as const]),
        ['errors', `${run.consoleErrors} in the console, ${run.networkErrors} of requests`],
      ),
      table(
        ['step', 'ms', 'result'],
        steps.map(({ action, durationMs, message }) => [action, String(durationMs), message]),
      ),
    ],
    exit: run.endedAt !== null && !run.verified ? 'check' : 'ok',
    ...(run.verified && { next: ['svc', 'workspace', 'claim'] }),
  };
}
