import type { CommandType, InputOf } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { screenshotBlob } from '../../../schemas/checks/blobs.ts';
import type { checksCommands } from '../../../schemas/checks/commands.ts';
import {
  originDocumentSchema,
  profileDocumentSchema,
  type RunDocument,
  runDocumentSchema,
  type Screenshot,
  suiteDocumentSchema,
} from '../../../schemas/checks/documents.ts';
import { type Failure, type FailureReason, nothingFound } from '../../../schemas/checks/results.ts';
import { challengeContent, challengeUrl, effectiveRun } from '../../../schemas/checks/states.ts';
import { checkRunItems, type RunItem } from '../../../schemas/checks/work.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { ProofFailure, ProofReader } from '../../../topics/ports/proofs.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import { followUp } from '../../runtime/follow-up.ts';
import { commandTo } from '../../runtime/results.ts';
import { type AnyWork, defineWork } from '../../runtime/work-handler.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Driven, RunPlan } from './drive.ts';

/** Runs of one partition that wait for a browser or have one. */
const RUNS_AT_ONCE = 4;
/** A failure of this program is not hidden by a repetition. */
const ATTEMPTS_MAX = 1;

type Engines = Pick<ProcessorDependencies, 'store' | 'blobs' | 'log' | 'clock' | 'entropy'>;

interface Parts {
  readonly runner: CheckRunner;
  readonly proofs: ProofReader;
  readonly limits: Limits['checks'];
  /** Ends runs under way when the process ends. */
  readonly stopping: AbortSignal;
}

/** The consumer of `check-runs`: proves the origin again, drives the browser and reports the result. */
export function runConsumer(engines: Engines, { runner, proofs, limits, stopping }: Parts): AnyWork {
  return defineWork({
    topic: 'check-runs',
    items: checkRunItems,
    itemsAtOnce: RUNS_AT_ONCE,
    attemptsMax: ATTEMPTS_MAX,
    async handle(item) {
      const { installationId, runId } = item.input;
      const driver = idFrom('run', engines.entropy.bytes(ID_BYTES)).slice('run_'.length);
      const begun = { installationId, runId, driver };
      let failure: Failure | null = null;
      let isOver = false;
      const driven = await runner.run(async () => {
        const found = await readRun(engines, item.input);
        // A run that has begun is the business of the runner that began it, which may have ended: nothing is driven twice.
        if (found === null || effectiveRun(found.run, engines.clock.now()).status !== 'queued') {
          isOver = true;
          return null;
        }
        await beginRun(engines, item, begun);
        failure = await lostProof(proofs, found.originId, found.origin);
        return failure === null ? found.plan : null;
      }, stopping);
      if (isOver) return null;
      if (driven === null) return finished(begun, nothingFound(failure ?? NO_PLAN), null);
      return finished(begun, driven.findings, await keepScreenshot(engines, begun, driven, limits));
    },
    failed: ({ input: { installationId, runId } }) =>
      commandTo({ topic: 'checks', key: installationId, type: 'abandon-run', input: { runId } }),
  });
}

const NO_PLAN: Failure = { reason: 'internal', message: 'The suite of the run is gone.' };

interface FoundRun {
  readonly run: RunDocument;
  readonly originId: string;
  readonly origin: ReturnType<typeof originDocumentSchema.parse>;
  readonly plan: RunPlan;
}

/** Reads what an item leaves out; null if the run was removed. */
async function readRun(
  { store }: Pick<Engines, 'store'>,
  { installationId, runId }: RunItem,
): Promise<FoundRun | null> {
  const aggregate = { table: 'checks', id: installationId } as const;
  const read = async (kind: 'run' | 'suite' | 'origin' | 'profile', id: string) =>
    (await store.read(aggregate, [{ kind, id }])).rows[0]?.document;
  const stored = await read('run', runId);
  if (stored === undefined) return null;
  const run = runDocumentSchema.parse(stored);
  const [suiteRow, originRow] = await Promise.all([read('suite', run.suiteId), read('origin', run.originId)]);
  if (suiteRow === undefined || originRow === undefined) return null;
  const suite = suiteDocumentSchema.parse(suiteRow);
  const origin = originDocumentSchema.parse(originRow);
  const profileRow =
    suite.accessProfileId === null ? undefined : await read('profile', suite.accessProfileId);
  const profile = profileRow === undefined ? null : profileDocumentSchema.parse(profileRow).configuration;
  const plan = {
    origin: origin.origin,
    flows: suite.configuration.flows,
    ...(profile !== null && { profile }),
  };
  return { run, originId: run.originId, origin, plan };
}

const PROOF_REASONS: Readonly<Record<ProofFailure, FailureReason>> = {
  blocked: 'blocked_egress',
  dns: 'dns',
  connect: 'connect',
  tls: 'tls',
  timeout: 'connect',
};

/** Fetches the proof of the origin once more. Returns the failure of the run, or null if the proof is still there. */
async function lostProof(
  proofs: ProofReader,
  originId: string,
  origin: FoundRun['origin'],
): Promise<Failure | null> {
  const file = { url: challengeUrl(originId, origin), content: challengeContent(originId, origin) };
  const reading = await proofs.read(file);
  switch (reading.kind) {
    case 'matches':
      return null;
    case 'mismatch':
      return {
        reason: 'ownership_lost',
        message: 'The proof of the origin is gone or differs. Publish it again; it has to stay published.',
      };
    case 'failed':
      return {
        reason: PROOF_REASONS[reading.reason],
        message:
          'The proof of the origin cannot be fetched. Check that the origin answers to requests from the internet.',
      };
  }
}

interface Begun {
  readonly installationId: string;
  readonly runId: string;
  readonly driver: string;
}

/** Sends `begin-run` ahead of the result. */
async function beginRun(
  { log, clock }: Pick<Engines, 'log' | 'clock'>,
  item: Parameters<typeof followUp>[1],
  { installationId, runId, driver }: Begun,
): Promise<void> {
  const effect = report(installationId, 'begin-run', { runId, driver });
  const key = digestOf(['begin-run', runId, driver]);
  const envelope = followUp(effect, item, { key, at: clock.now() });
  await log.append([{ topic: effect.topic, key: effect.key, value: JSON.stringify(envelope) }]);
}

function finished(
  { installationId, runId, driver }: Begun,
  findings: Driven['findings'],
  screenshot: Screenshot | null,
) {
  return report(installationId, 'finish-run', { runId, driver, findings, screenshot });
}

function report<Type extends CommandType<typeof checksCommands>>(
  installationId: string,
  type: Type,
  input: InputOf<typeof checksCommands, Type>,
) {
  return commandTo<'checks', Type>({ topic: 'checks', key: installationId, type, input });
}

/** Stores the screenshot of a run as a private blob that ends. */
async function keepScreenshot(
  { blobs, clock }: Pick<Engines, 'blobs' | 'clock'>,
  { installationId, runId, driver }: Begun,
  { screenshot: bytes }: Driven,
  { screenshotMs }: Limits['checks'],
): Promise<Screenshot | null> {
  if (bytes === null) return null;
  const screenshot = { name: driver, byteLength: bytes.length, expiresAt: clock.now() + screenshotMs };
  const { expiresAt } = screenshot;
  const writer = blobs.create(screenshotBlob(installationId, runId, screenshot), {
    expiresAt,
    patient: true,
  });
  try {
    await writer.write(bytes);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return screenshot;
}
