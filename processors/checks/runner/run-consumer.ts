import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Backoff, backoffMs } from '../../../schemas/base/backoff.ts';
import type { CommandOf, CommandType, InputOf } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { screenshotBlob } from '../../../schemas/checks/blobs.ts';
import type { checksCommands } from '../../../schemas/checks/commands.ts';
import { challengeContent, challengeUrl, isOpen, isOverdue } from '../../../schemas/checks/derived-states.ts';
import {
  type OriginDocument,
  originDocumentSchema,
  profileDocumentSchema,
  type RunDocument,
  runDocumentSchema,
  type Screenshot,
  suiteDocumentSchema,
} from '../../../schemas/checks/documents.ts';
import { type Failure, type FailureReason, nothingFound } from '../../../schemas/checks/results.ts';
import { checkRunItems, type RunItem } from '../../../schemas/checks/run-items.ts';
import { TLS_CAUSES } from '../../../schemas/checks/tls-causes.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { ProofFailure } from '../../../topics/ports/proofs.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import { followUp } from '../../runtime/effects/follow-up.ts';
import type { CommandEffect } from '../../runtime/fold/fold.ts';
import { commandTo } from '../../runtime/fold/results.ts';
import { type AnyWork, defineWork } from '../../runtime/work/work-handler.ts';
import type { ProofFetcher } from '../egress/read-proof.ts';
import type { CheckRunner } from './check-runner.ts';
import type { Driven, RunPlan } from './drive.ts';
import { DRIVER_RANDOM_BYTES, hasEnded, nameDriver, thisProcess } from './driver-names.ts';

/** Runs of one partition that wait for a browser or have one. */
const RUNS_AT_ONCE = 32;
/** A failure of this program is not hidden by a repetition. */
const ATTEMPTS_MAX = 1;
/** The time in which the beginning of a run is folded. */
const BEGIN_MS = 10_000;
/** Pauses between two reads of the run. */
const BEGIN_PAUSES: Backoff = { firstMs: 2, maxMs: 100 };
/** The latest runs of this process whose item may be delivered again. */
const ATTEMPTS_HELD_MAX = 256;

/** Ends of runs without findings, by the commands that report them, as the metrics name them. */
const LEFT_RUNS: Readonly<Record<string, string>> = { 'abandon-run': 'abandoned', 'end-run': 'overdue' };

type Engines = Pick<
  ProcessorDependencies,
  'store' | 'blobs' | 'log' | 'clock' | 'entropy' | 'logger' | 'meter'
>;

interface Parts {
  readonly runner: CheckRunner;
  readonly proofs: ProofFetcher;
  readonly limits: Limits['checks'];
  /** The name of the client in requests of runs. */
  readonly clientName: string;
  /** Ends runs under way when the process ends. */
  readonly stopping: AbortSignal;
  readonly beginMs?: number;
}

/** This process's attempt to drive a run. */
interface Attempt extends RunItem {
  readonly driver: string;
  isUnderWay: boolean;
  /** The report, from when there is one: an item that comes again is not driven again. */
  report: CommandEffect | null;
}

/** The topics of runs. Each has its own windows, so that runs of previews never stand in front of others. */
const TOPICS = ['check-runs', 'check-preview-runs'] as const;

/**
 * The consumers of runs: each proves the origin again, drives the browser and reports the result. A run is driven once: by the
 * driver that its document names. If that driver has ended, as far as this machine can tell, the run ends with it. An item that
 * is delivered again, because an engine failed, continues where its attempt was.
 */
export function runConsumers(engines: Engines, parts: Parts): AnyWork[] {
  const attempts = new LRUCache<string, Attempt>({ max: ATTEMPTS_HELD_MAX });
  const isUnderWay = (driver: string) =>
    [...attempts.values()].some((each) => each.driver === driver && each.isUnderWay);
  const work = {
    items: checkRunItems,
    itemsAtOnce: RUNS_AT_ONCE,
    attemptsMax: ATTEMPTS_MAX,
    async handle(item: Item, leaving: AbortSignal) {
      const attempt = attempts.get(item.input.runId) ?? newAttempt(engines, item.input);
      if (attempt.isUnderWay || attempt.report !== null) return attempt.report;
      attempts.set(attempt.runId, attempt);
      attempt.isUnderWay = true;
      try {
        attempt.report = await driveItem(engines, parts, { item, attempt, leaving, isUnderWay });
        const left = LEFT_RUNS[attempt.report?.type ?? ''];
        if (left !== undefined) engines.meter?.runEnded(left);
        return attempt.report;
      } finally {
        attempt.isUnderWay = false;
      }
    },
    failed: ({ input }: Item) => abandoned(input),
  };
  return TOPICS.map((topic) => defineWork({ ...work, topic }));
}

function newAttempt({ entropy }: Engines, item: RunItem): Attempt {
  const driver = nameDriver(thisProcess(), entropy.bytes(DRIVER_RANDOM_BYTES));
  return { ...item, driver, isUnderWay: false, report: null };
}

interface ItemAttempt {
  readonly item: Item;
  readonly attempt: Attempt;
  readonly leaving: AbortSignal;
  /** Tells if this process drives for that name just now. */
  readonly isUnderWay: (driver: string) => boolean;
}

/** Drives a run unless another driver has it. Returns the command that reports its end, or null if there is nothing to say. */
async function driveItem(
  engines: Engines,
  { runner, proofs, limits, clientName, stopping, beginMs = BEGIN_MS }: Parts,
  { item, attempt: own, leaving, isUnderWay }: ItemAttempt,
): Promise<CommandEffect | null> {
  const found = await readRun(engines, clientName, own);
  if (found === null) return null;
  if (!isOpen(found.run)) return null;
  if (isOverdue(found.run, engines.clock.now())) return overdue(own);
  const { driver } = found.run;
  const isBegun = driver === own.driver;
  if (driver !== null && !isBegun) return hasEnded(driver, isUnderWay) ? abandoned(own) : null;
  let taken: string | null = own.driver;
  let failure = null as Failure | null;
  const party = { workspace: own.installationId, creator: own.creator, isPreview: own.isPreview };
  const begin = async () => {
    if (isBegun) return found.plan;
    // Only now: the wait for a browser may be long, and the proof has to hold when the run begins.
    failure = await lostProof(proofs, found);
    if (failure !== null) return null;
    taken = await beginRun(engines, item, own, beginMs);
    return taken === own.driver ? found.plan : null;
  };
  const leftMs = Math.max(0, found.run.deadlineAt - engines.clock.now());
  const waiting = AbortSignal.any([leaving, AbortSignal.timeout(leftMs)]);
  const driven = await runner.run(party, begin, { stopping, leaving: waiting }).catch((error: unknown) => {
    if (leaving.aborted || !waiting.aborted) throw error;
    return 'overdue' as const;
  });
  if (driven === 'overdue') return overdue(own);
  if (driven !== null) {
    return finished(engines, own, driven.findings, await keepScreenshot(engines, own, driven, limits));
  }
  if (failure !== null) return finished(engines, own, nothingFound(failure), null);
  return taken !== null && hasEnded(taken, isUnderWay) ? abandoned(own) : null;
}

interface FoundRun {
  readonly run: RunDocument;
  readonly originId: string;
  readonly origin: OriginDocument;
  readonly plan: RunPlan;
}

type RowKind = 'run' | 'suite' | 'origin' | 'profile';

async function readRow({ store }: Pick<Engines, 'store'>, installationId: string, kind: RowKind, id: string) {
  return (await store.read({ table: 'checks', id: installationId }, [{ kind, id }])).rows[0]?.document;
}

/** Reads what an item leaves out; null if the run was removed. */
async function readRun(
  { store }: Pick<Engines, 'store'>,
  clientName: string,
  { installationId, runId }: RunItem,
): Promise<FoundRun | null> {
  const read = (kind: RowKind, id: string) => readRow({ store }, installationId, kind, id);
  const stored = await read('run', runId);
  if (stored === undefined) return null;
  const run = readStored(runDocumentSchema, stored);
  const [suiteRow, originRow] = await Promise.all([read('suite', run.suiteId), read('origin', run.originId)]);
  if (suiteRow === undefined || originRow === undefined) return null;
  const suite = readStored(suiteDocumentSchema, suiteRow);
  const origin = readStored(originDocumentSchema, originRow);
  const profileRow =
    suite.accessProfileId === null ? undefined : await read('profile', suite.accessProfileId);
  const profile =
    profileRow === undefined ? null : readStored(profileDocumentSchema, profileRow).configuration;
  const plan = {
    origin: origin.origin,
    flows: suite.configuration.flows,
    client: { runId, name: clientName },
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
  proofs: ProofFetcher,
  { originId, origin }: Pick<FoundRun, 'originId' | 'origin'>,
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
          reading.cause === undefined
            ? 'The proof of the origin cannot be fetched. Check that the origin answers to requests from the internet.'
            : `The proof of the origin cannot be fetched. The origin has ${TLS_CAUSES[reading.cause]}.`,
      };
  }
}

type Driver = Pick<Attempt, 'installationId' | 'runId' | 'driver'>;

type Item = CommandOf<typeof checkRunItems>;

/**
 * Sends `begin-run`, and returns the driver that has the run once it is folded: this one, unless another one was first.
 *
 * @throws {EngineUnavailableError} if the fold takes too long
 */
async function beginRun(
  engines: Pick<Engines, 'store' | 'log' | 'clock'>,
  item: Item,
  { installationId, runId, driver }: Driver,
  beginMs: number,
): Promise<string | null> {
  const effect = report(installationId, 'begin-run', { runId, driver });
  const key = digestOf(['begin-run', runId, driver]);
  const envelope = followUp(effect, item, { key, at: engines.clock.now() });
  await engines.log.append([{ topic: effect.topic, key: effect.key, value: JSON.stringify(envelope) }]);
  const until = performance.now() + beginMs;
  for (let look = 1; performance.now() < until; look += 1) {
    await delay(backoffMs(look, BEGIN_PAUSES));
    const stored = await readRow(engines, installationId, 'run', runId);
    // A run that was removed or has ended meanwhile is driven by none.
    if (stored === undefined) return null;
    const { status, driver: first } = readStored(runDocumentSchema, stored);
    if (status !== 'queued') return status === 'running' ? first : null;
  }
  throw new EngineUnavailableError('processor of browser checks');
}

function overdue({ installationId, runId }: RunItem) {
  return report(installationId, 'end-run', { runId });
}

function abandoned({ installationId, runId }: RunItem) {
  return report(installationId, 'abandon-run', { runId });
}

function finished(
  { meter }: Pick<Engines, 'meter'>,
  { installationId, runId, driver }: Driver,
  findings: Driven['findings'],
  screenshot: Screenshot | null,
) {
  meter?.runEnded(findings.failure?.reason ?? 'passed');
  return report(installationId, 'finish-run', { runId, driver, findings, screenshot });
}

function report<Type extends CommandType<typeof checksCommands>>(
  installationId: string,
  type: Type,
  input: InputOf<typeof checksCommands, Type>,
) {
  return commandTo<'checks', Type>({ topic: 'checks', key: installationId, type, input });
}

/** Stores the screenshot of a run as a private blob that ends. A result counts without its picture: null if it cannot be stored. */
async function keepScreenshot(
  { blobs, clock, logger }: Pick<Engines, 'blobs' | 'clock' | 'logger'>,
  { installationId, runId, driver }: Driver,
  { screenshot: bytes }: Driven,
  { screenshotMs }: Limits['checks'],
): Promise<Screenshot | null> {
  if (bytes === null) return null;
  const screenshot = { name: driver, byteLength: bytes.length, expiresAt: clock.now() + screenshotMs };
  const { expiresAt } = screenshot;
  const address = screenshotBlob(installationId, runId, screenshot);
  try {
    await writeBlob(blobs, address, [bytes], { expiresAt, patient: true });
    return screenshot;
  } catch (err) {
    logger.warn({ err, runId }, 'ScreenshotLost');
    return null;
  }
}
