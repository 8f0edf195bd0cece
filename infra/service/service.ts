// The composition root: the only place where engines, gateway and processors meet.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createGateway } from '../../gateway/app.ts';
import { capabilityPrincipal } from '../../gateway/imports/capability-principal.ts';
import { importRoutes } from '../../gateway/imports/routes.ts';
import { uploadPrincipal } from '../../gateway/imports/upload-principal.ts';
import { consolePrincipal } from '../../gateway/people/console-principal.ts';
import { peopleRoutes } from '../../gateway/people/routes.ts';
import type { Route } from '../../gateway/route.ts';
import { type GatewayServer, listen } from '../../gateway/server.ts';
import type { GatewayServices, SecretKeys } from '../../gateway/services.ts';
import { openSubmitter, type Submitter } from '../../gateway/submit.ts';
import { capabilitiesRoute } from '../../gateway/workspaces/capabilities.ts';
import { findWorkspace } from '../../gateway/workspaces/load-workspace.ts';
import { projectPrincipal } from '../../gateway/workspaces/project-principal.ts';
import { workspaceRoutes } from '../../gateway/workspaces/routes.ts';
import type { ImportWorkers } from '../../processors/imports/workers/import-workers.ts';
import { startThreadPool } from '../../processors/imports/workers/thread-pool.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { Clock, Entropy } from '../../topics/ports/clock.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from '../embedded/engine.ts';
import { loadLimits } from './limits-file.ts';
import { startMaintenance } from './maintenance.ts';
import { subscriptionsOf } from './processors.ts';
import { runtimeLogger } from './runtime-logger.ts';
import { loadSecrets } from './secret-files.ts';
import { offerSetUp } from './set-up-link.ts';
import type { Settings } from './settings.ts';

export interface Service {
  /** Where it listens, for example `http://127.0.0.1:8787`. */
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
}

const REPLY_ADDRESS_BYTES = 9;

const clock: Clock = { now: () => Date.now() };
const entropy: Entropy = { bytes: (count) => randomBytes(count) };

/**
 * Starts the whole service on the embedded engine.
 *
 * @throws {SettingsError} when the settings contradict what is there; {Error} when the engine or the port is taken.
 */
export async function startService({ settings, logger, onFatal }: ServiceOptions): Promise<Service> {
  const limits = loadLimits(settings.limitsFile);
  if (settings.limitsFile !== null) logger.warn({ limitsFile: settings.limitsFile }, 'LimitsOverridden');
  const secrets = loadSecrets(settings, entropy);
  const engine = openEmbeddedEngine({
    folder: settings.dataFolder,
    clock,
    onFatal,
    onHalt: (halt) => logger.fatal(halt, 'PartitionHalted'),
  });
  const started = new Started();
  started.add(() => engine.close());
  try {
    const consumers = await startProcessors(engine, limits, settings, logger, started);
    const submitter = await startSubmitter(engine, started);
    const server = await startGateway({ engine, limits, settings, secrets, logger, consumers, submitter });
    started.add(() => server.close());
    const maintained = {
      sweep: engine.sweep,
      prune: async (now: number) => (await engine.log.prune(now)) > 0,
    };
    started.add(startMaintenance(maintained, clock.now, runtimeLogger(logger)));
    await offerSetUp(engine.store, settings, secrets);
    return { address: `http://${settings.host}:${server.port}`, close: () => started.close() };
  } catch (error) {
    await started.close();
    throw error;
  }
}

/** What was started, to be closed in the reverse order. */
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

async function startProcessors(
  engine: EmbeddedEngine,
  limits: Limits,
  settings: Settings,
  logger: Logger,
  started: Started,
): Promise<Consumer[]> {
  const workers: ImportWorkers = startThreadPool({ threads: settings.workerThreads });
  started.add(() => workers.close());
  const dependencies = { ...engine, clock, entropy, logger: runtimeLogger(logger) };
  const consumers: Consumer[] = [];
  for (const subscription of subscriptionsOf(dependencies, limits, workers)) {
    const consumer = await engine.log.consume(subscription);
    consumers.push(consumer);
    started.add(() => consumer.stop());
  }
  return consumers;
}

async function startSubmitter(engine: EmbeddedEngine, started: Started): Promise<Submitter> {
  const address = `gateway-${Buffer.from(entropy.bytes(REPLY_ADDRESS_BYTES)).toString('hex')}`;
  const submitter = await openSubmitter({ ...engine, clock, address });
  started.add(() => submitter.close());
  return submitter;
}

interface GatewayParts {
  readonly engine: EmbeddedEngine;
  readonly limits: Limits;
  readonly settings: Settings;
  readonly secrets: SecretKeys;
  readonly logger: Logger;
  readonly consumers: readonly Consumer[];
  readonly submitter: Submitter;
}

function startGateway(parts: GatewayParts): Promise<GatewayServer> {
  const { engine, limits, settings, secrets, logger, consumers, submitter } = parts;
  const services: GatewayServices = {
    store: engine.store,
    blobs: engine.blobs,
    lookups: engine.lookups,
    counters: engine.counters,
    clock,
    entropy,
    submit: submitter.submit,
    limits,
    hosts: settings.hosts,
    secrets,
    loopbackPorts: settings.loopbackPorts,
  };
  const routes: Route[] = [
    capabilitiesRoute(() => routes),
    ...workspaceRoutes,
    ...peopleRoutes,
    ...importRoutes,
  ];
  const gateway = createGateway({
    routes,
    services,
    authenticators: {
      project: projectPrincipal,
      console: consolePrincipal,
      capability: capabilityPrincipal,
      upload: uploadPrincipal,
    },
    findWorkspace,
    health: { ready: () => noneHalted(consumers) },
    logger,
    trustedProxies: settings.trustedProxies,
  });
  return listen(gateway, { host: settings.host, port: settings.port });
}

async function noneHalted(consumers: readonly Consumer[]): Promise<boolean> {
  const statuses = await Promise.all(consumers.map((consumer) => consumer.status()));
  return statuses.flat().every((status) => status.halted === null);
}
