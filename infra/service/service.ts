// The composition root: the only place where engines, gateway and processors meet.
import type { Logger } from 'pino';
import { openSubmitter, type Submitter } from '../../gateway/http/records/submit.ts';
import { listen } from '../../gateway/http/server/server.ts';
import { ApprovalWaits } from '../../gateway/imports/delivery/approval-waits.ts';
import { startUsagePublisher } from '../../gateway/limiter/usage-publisher.ts';
import type { SecretKeys } from '../../gateway/services.ts';
import { type StartedRunner, startRunner } from '../../processors/checks/runner/start-runner.ts';
import { mailSender } from '../../processors/mail/sender.ts';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import type { StartedWork } from '../../processors/runtime/fold/product.ts';
import { passable } from '../../processors/runtime/passing-over.ts';
import { workSubscription } from '../../processors/runtime/work/work-handler.ts';
import { WorkLane } from '../../processors/runtime/work/work-lane.ts';
import { clientName } from '../../schemas/checks/client.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { ApprovedScope } from '../../topics/ports/approvals.ts';
import type { Clock } from '../../topics/ports/clock.ts';
import type { Consumer, Log, Subscription } from '../../topics/ports/log.ts';
import type { Dependencies } from './dependencies.ts';
import { type Egress, openEgress } from './egress.ts';
import { connectWithRetry, type RetryOptions, startRetries } from './engine/connect-with-retry.ts';
import { openEngine } from './engine/engine.ts';
import type { Engine } from './engine/ports.ts';
import { PooledEntropy } from './entropy.ts';
import { readConsoleFiles } from './files/console-files.ts';
import { readDocsFiles } from './files/docs-files.ts';
import { readDownloadFiles } from './files/download-files.ts';
import { unbuiltParts } from './files/unbuilt-parts.ts';
import { assembleGateway } from './gateway.ts';
import { runtimeLogger } from './logging/runtime-logger.ts';
import { startMaintenance } from './maintenance.ts';
import type { Metering } from './metrics/metering.ts';
import { foldSubscriptions, workSubscriptions } from './processors.ts';
import { PRODUCT_CODE } from './products.ts';
import { startClockWatch } from './readiness/clock-watch.ts';
import { clockReason } from './readiness/readiness.ts';
import { ConsumerWatch } from './reports/consumer-watch.ts';
import { ProcessBoard } from './reports/process-board.ts';
import { Reporter } from './reports/reporter.ts';
import { RequestWindow } from './reports/request-window.ts';
import { Tally } from './reports/tally.ts';
import { RunnerConsumer } from './runner-consumer.ts';
import { offerSetUp } from './set-up-link.ts';
import { loadLimits } from './settings/limits-file.ts';
import type { Settings } from './settings/settings.ts';
import { folderFailure, listenFailure } from './settings/start-failures.ts';
import { readVersion } from './version.ts';

export interface Service {
  /** The address that it listens on, for example `http://127.0.0.1:8787`. */
  readonly address: string;
  /**
   * Drains: stops accepting, answers what is under way, lets processors finish and commit, closes the engine. Safe to
   * call more than once.
   */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Called once when the engine cannot write any more: the process has to end. */
  readonly onFatal: (error: unknown) => void;
  /** The time of day unless a test moves it. */
  readonly clock?: Clock;
}

/** A shutdown that takes longer is cut off: below the grace that supervisors usually give before SIGKILL. */
export const SHUTDOWN_MS_MAX = 25_000;

const REPLY_ADDRESS_BYTES = 9;

const PROCESS_ID_BYTES = 6;

const NO_SANDBOX =
  'SVC_RUNNER_SANDBOX=0: pages that browser checks open run without the sandbox of the browser.';

const SYSTEM_CLOCK: Clock = { now: () => Date.now() };
const entropy = new PooledEntropy();

/**
 * Starts what the settings' roles name, on the engine that they name.
 *
 * @throws {StartError} when the settings contradict what is there, or the engine or the port cannot be had.
 */
export async function startService({ settings, logger, onFatal, clock = SYSTEM_CLOCK }: ServiceOptions) {
  const limits = loadLimits(settings.limitsFile);
  for (const said of settings.warnings) logger.warn({ said }, 'SettingQuestioned');
  if (settings.limitsFile !== null) logger.warn({ limitsFile: settings.limitsFile }, 'LimitsOverridden');
  const retries = startRetries(logger);
  const { engine, secrets } = await openEngine({ settings, clock, logger, onFatal, retries }, entropy);
  const started = new Started();
  started.add(() => engine.close());
  try {
    const tracer = await startTracer(settings, logger, started);
    const watch = new ConsumerWatch();
    const watched = { ...engine, log: watch.watching(engine.log) };
    const metering = await startMetering(settings, watched, watch);
    const tally = new Tally(limits, () => clock.now());
    const dependencies = { ...metering, settings, limits, secrets, clock, entropy, logger, tally, tracer };
    return await startProcess(dependencies, watch, started, retries);
  } catch (error) {
    await started.close();
    throw error;
  }
}

/** Imports OpenTelemetry only here: its modules would slow down every start. */
async function startTracer({ tracing }: Settings, logger: Logger, started: Started) {
  if (tracing === null) return undefined;
  const { openTracing } = await import('./logging/tracing.ts');
  const { tracer, close } = openTracing(tracing, logger);
  started.add(close);
  return tracer;
}

/** Imports prom-client only here: it is left out where nothing is counted. */
async function startMetering({ metrics }: Settings, engine: Engine, watch: ConsumerWatch) {
  if (metrics === null) return { engine };
  const [{ openMetering }, { meteredEngine }] = await Promise.all([
    import('./metrics/metering.ts'),
    import('./metrics/metered-engine.ts'),
  ]);
  const metering = openMetering(metrics);
  return { metering, engine: meteredEngine(engine, watch, metering) };
}

async function startProcess(
  dependencies: Dependencies,
  watch: ConsumerWatch,
  started: Started,
  retries: RetryOptions,
): Promise<Service> {
  const { engine, settings, clock, logger, metering } = dependencies;
  const egress = openEgress(settings, metering?.meter);
  const { consumers, runner } = await startConsumers(dependencies, egress, started);
  const submitter = settings.roles.includes('gateway')
    ? await startSubmitter(dependencies, started, retries)
    : null;
  if (submitter !== null)
    started.add(startUsagePublisher({ ...engine, clock, entropy, logger, meter: metering?.meter }));
  const console = submitter === null ? null : readConsoleFiles();
  const docs = submitter === null ? null : readDocsFiles();
  const downloads = submitter === null ? [] : readDownloadFiles();
  const unbuilt = submitter === null ? null : unbuiltParts({ console, docs, downloads });
  if (unbuilt !== null) logger.warn({ said: unbuilt }, 'PartsNotBuilt');
  const { reporter, requests } = reporterOf(dependencies, watch, runner);
  const board = new ProcessBoard({
    reports: engine.processReports,
    blobs: engine.blobs,
    own: () => reporter.latest,
    tally: dependencies.tally,
    now: () => clock.now(),
    logger: runtimeLogger(logger),
  });
  if (metering !== undefined) measureEngines(metering, reporter);
  const approvalWaits = new ApprovalWaits(engine.approvals);
  if (submitter !== null) await listenForApprovals(dependencies, approvalWaits, started);
  const gateway = assembleGateway(dependencies, submitter?.submit ?? null, consumers, {
    console,
    docs,
    downloads,
    proofs: egress.proofs,
    approvalWaits,
    runner,
    reports: { requests, board },
  });
  // Before the first answer: a ready service has its link.
  if (submitter !== null) {
    const offer = () => offerSetUp(engine.store, settings, dependencies.secrets);
    await connectWithRetry(offer, retries).catch((error: unknown) => {
      throw folderFailure(error, settings.dataFolder);
    });
  }
  const server = await listen(gateway, settings).catch((error: unknown) => {
    throw listenFailure(error, settings);
  });
  started.add(() => server.close());
  started.add(async () => approvalWaits.close());
  started.add(startClockWatch(clock, engine.logClock, runtimeLogger(logger)));
  reporter.start();
  started.add(() => reporter.stop());
  if (submitter !== null) {
    board.start();
    started.add(() => board.stop());
  }
  started.add(startMaintenance(engine, clock.now, runtimeLogger(logger)));
  return { address: `http://${settings.host}:${server.port}`, close: () => started.close() };
}

/** Ends waits at each approval, whichever gateway it was made by. */
async function listenForApprovals(
  { engine, logger }: Dependencies,
  waits: ApprovalWaits,
  started: Started,
): Promise<void> {
  const handlers = {
    onApproved: (scope: ApprovedScope) => waits.approved(scope),
    onReconnect: () => waits.rouseAll(),
  };
  const listener = await connectWithRetry(() => engine.approvals.listen(handlers), startRetries(logger));
  started.add(() => listener.close());
}

function reporterOf(
  { engine, settings, clock, logger, tally }: Dependencies,
  watch: ConsumerWatch,
  runner: StartedRunner | null,
) {
  const requests = new RequestWindow();
  const identity = {
    processId: Buffer.from(entropy.bytes(PROCESS_ID_BYTES)).toString('hex'),
    roles: [...settings.roles],
    version: readVersion(),
    nodeVersion: process.versions.node,
    startedAt: clock.now(),
  };
  const reporter = new Reporter({
    identity,
    engine,
    watch,
    requests: settings.roles.includes('gateway') ? requests : null,
    tally,
    trouble: () => clockReason(engine.logClock) ?? runner?.unready() ?? null,
    hasBrowser: () => runner && runner.unready() === null,
    now: () => clock.now(),
    logger: runtimeLogger(logger),
  });
  return { reporter, requests };
}

/** Adds to each reading of the metrics the engines that answer the process, by its latest report. */
function measureEngines({ instruments, onRead }: Metering, reporter: Reporter): void {
  const up = instruments.gauge('engineUp');
  onRead(() => {
    for (const { name, isUp } of reporter.latest.engines) up.set(Number(isUp), name);
  });
}

/** The started parts, to be closed in the reverse order. */
class Started {
  readonly #closers: (() => Promise<void>)[] = [];
  #closing: Promise<void> | null = null;

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }
}

async function startConsumers(
  { engine, settings, limits, secrets, clock, logger, tally, tracer, metering }: Dependencies,
  egress: Egress,
  started: Started,
): Promise<{ readonly consumers: readonly Consumer[]; readonly runner: StartedRunner | null }> {
  const dependencies = {
    ...engine,
    clock,
    entropy,
    logger: runtimeLogger(logger),
    tally,
    tracer,
    meter: metering?.meter,
  };
  const subscriptions = [];
  if (settings.roles.includes('processors')) subscriptions.push(...foldSubscriptions(dependencies, limits));
  const works: StartedWork[] = [];
  if (settings.roles.includes('workers')) {
    const options = { threads: settings.workerThreads };
    works.push(
      ...PRODUCT_CODE.flatMap(({ processors }) => processors.startWork?.(dependencies, options) ?? []),
    );
    const mail = await startMail(dependencies, settings, secrets);
    if (mail !== null) works.push(mail);
    const all = works.flatMap((work) => work.works);
    subscriptions.push(...workSubscriptions(dependencies, limits, all, new WorkLane()));
  }
  const runner = settings.roles.includes('runner') ? runnerOf(dependencies, settings, limits, egress) : null;
  if (runner !== null) {
    works.push(runner);
  }
  for (const work of works) started.add(() => work.close());
  // A run begins once (its document names its driver), and its browser is another process: it cannot end this one twice.
  const runs = runner?.works.map((work) => workSubscription(work, dependencies, null)) ?? [];
  const isAlone = settings.cluster === null;
  if (isAlone) subscriptions.push(...runs);
  const passed = subscriptions.map((subscription) => passable(subscription, dependencies));
  const consumers = await startTogether(engine.log, passed, started);
  if (runner !== null && !isAlone) {
    const consume = (subscription: Subscription) => engine.log.consume(passable(subscription, dependencies));
    const wary = runs.map((subscription) => new RunnerConsumer(runner, () => consume(subscription)));
    started.add(async () => void (await Promise.all(wary.map((consumer) => consumer.stop()))));
    consumers.push(...wary);
  }
  for (const work of works) started.add(async () => work.stop?.());
  return { consumers, runner };
}

/** Imports the client for mail only here. Without a mail server, mails that a process with one has queued wait for such a process. */
async function startMail(
  dependencies: ProcessorDependencies,
  { mail, hosts }: Settings,
  secrets: SecretKeys,
): Promise<StartedWork | null> {
  if (mail === null) return null;
  const { openSmtpMailer } = await import('../engines/smtp/mailer.ts');
  const mailer = openSmtpMailer(mail);
  const sender = mailSender(dependencies, { mailer, console: hosts.console, secrets });
  return { works: [sender], close: () => mailer.close() };
}

function runnerOf(
  dependencies: ProcessorDependencies,
  settings: Settings,
  limits: Limits,
  { guard }: Egress,
): StartedRunner {
  const isAlone = settings.cluster === null;
  const runner = startRunner(dependencies, {
    settings: settings.runner,
    guard,
    limits,
    clientName: clientName(settings.hosts.base),
    isAlone,
  });
  const missing = runner.unready();
  if (missing !== null) dependencies.logger.warn({ said: missing }, 'NoBrowser');
  else if (!settings.runner.sandbox) dependencies.logger.warn({ said: NO_SANDBOX }, 'BrowserWithoutSandbox');
  return runner;
}

/** Joins and leaves take about a second each: all of them do it at the same time. */
async function startTogether(
  log: Log,
  subscriptions: readonly Subscription[],
  started: Started,
): Promise<Consumer[]> {
  const consumers: Consumer[] = [];
  started.add(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });
  const starts = subscriptions.map(async (subscription) => {
    consumers.push(await log.consume(subscription));
  });
  // Those that did start are stopped with the others, whichever fails.
  await Promise.allSettled(starts);
  await Promise.all(starts);
  return consumers;
}

async function startSubmitter(
  { engine, clock }: Dependencies,
  started: Started,
  retries: RetryOptions,
): Promise<Submitter> {
  const address = `gateway-${Buffer.from(entropy.bytes(REPLY_ADDRESS_BYTES)).toString('hex')}`;
  // A server that has just answered can be late for its next answer.
  const open = () => openSubmitter({ ...engine, clock, address });
  const submitter = await connectWithRetry(open, retries);
  started.add(() => submitter.close());
  return submitter;
}
