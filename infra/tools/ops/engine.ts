// Opens the engine that the environment variables of the service name, as far as a verb needs it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSubmitter } from '../../../gateway/http/records/submit.ts';
import type { RouteSubmit } from '../../../gateway/http/routing/route.ts';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import type { SecretKeys } from '../../../gateway/services.ts';
import { MACHINE_OPERATOR } from '../../../schemas/audit/documents.ts';
import type { Actor } from '../../../schemas/base/command.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../../schemas/base/ids.ts';
import type { Limits } from '../../../schemas/limits.ts';
import type { Consumer } from '../../../topics/ports/log.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import { openEmbeddedReader } from '../../engines/embedded/reader.ts';
import type { PartitionLag } from '../../engines/shared/lag.ts';
import { openEngine } from '../../service/engine/engine.ts';
import type { Engine } from '../../service/engine/ports.ts';
import { PooledEntropy } from '../../service/entropy.ts';
import { runtimeLogger } from '../../service/logging/runtime-logger.ts';
import { foldSubscriptions } from '../../service/processors.ts';
import { loadLimits } from '../../service/settings/limits-file.ts';
import { loadSecrets } from '../../service/settings/secret-files.ts';
import { readSettings, type Settings, SettingsError } from '../../service/settings/settings.ts';
import { folderFailure } from '../../service/settings/start-failures.ts';
import type { Given } from './verb.ts';

/** The engine for reading. An embedded service may run meanwhile. */
export interface Reader {
  readonly store: Pick<Store, 'read' | 'list'>;
  /** Returns the progress of the group that handles each topic, by partition. */
  lags(): Promise<PartitionLag[]>;
  readonly settings: Settings;
  /** @throws {StartError} when one is missing. */
  secrets(): SecretKeys;
}

/** The engine for commands. An embedded service must not run meanwhile. */
export interface Machine {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly secrets: SecretKeys;
  readonly limits: Limits;
  /** Sends a command, as the operator, and waits for its outcome. */
  readonly submit: RouteSubmit;
}

const ADDRESS_BYTES = 9;
const clock = { now: () => Date.now() };
/** Randomness of the system. */
export const entropy = new PooledEntropy();

/** Opens the engine for reading while `use` runs. */
export async function withReader<Result>(
  { environment }: Pick<Given, 'environment'>,
  use: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const settings = settingsWithData(environment);
  const { cluster, dataFolder } = settings;
  const reader =
    cluster === null
      ? openFolder(dataFolder)
      : await (await import('./cluster-reader.ts')).openCluster(cluster);
  try {
    return await use({ ...reader, settings, secrets: () => loadSecrets(settings, entropy) });
  } finally {
    await reader.close();
  }
}

function openFolder(folder: string): ReturnType<typeof openEmbeddedReader> {
  try {
    return openEmbeddedReader(folder);
  } catch (error) {
    throw folderFailure(error, folder);
  }
}

/**
 * Opens the engine for commands while `use` runs. On the embedded engine, the processors of commands run in this process
 * meanwhile; a cluster has its own.
 */
export async function withMachine<Result>(
  { environment }: Pick<Given, 'environment'>,
  use: (machine: Machine) => Promise<Result>,
): Promise<Result> {
  const settings = settingsWithData(environment);
  const limits = loadLimits(settings.limitsFile);
  const logger = createLogger({ level: 'error', destination: process.stderr });
  const onFatal = (error: unknown) => {
    throw error;
  };
  const { engine, secrets } = await openEngine({ settings, clock, logger, onFatal }, entropy);
  const consumers: Consumer[] = [];
  try {
    if (settings.cluster === null) {
      const dependencies = { ...engine, clock, entropy, logger: runtimeLogger(logger) };
      for (const subscription of foldSubscriptions(dependencies, limits)) {
        consumers.push(await engine.log.consume(subscription));
      }
    }
    const address = `ops-${Buffer.from(entropy.bytes(ADDRESS_BYTES)).toString('hex')}`;
    const submitter = await openSubmitter({ ...engine, clock, address });
    const organizationId = firstOrganizationId(secrets);
    const operator: Actor = { kind: 'operator', id: MACHINE_OPERATOR, organizationId };
    const submit: RouteSubmit = ({ actor = operator, idempotencyKey = null, ...command }) =>
      submitter.submit({
        digestInput: command.input,
        ...command,
        actor,
        idempotencyKey,
        operation: `ops-${command.type}`,
        requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
      });
    try {
      return await use({ settings, engine, secrets, limits, submit });
    } finally {
      await submitter.close();
    }
  } finally {
    for (const consumer of consumers) await consumer.stop();
    await engine.close();
  }
}

/** True if the settings name a cluster, whose processors handle commands while others send them. */
export function isOnCluster({ environment }: Pick<Given, 'environment'>): boolean {
  return readSettings(environment).cluster !== null;
}

/**
 * Reads the settings.
 *
 * @throws {SettingsError} where they name a folder without data, which opening it would fill
 */
export function settingsWithData(environment: Given['environment']): Settings {
  const settings = readSettings(environment);
  if (settings.cluster === null && !existsSync(join(settings.dataFolder, DATABASE_FILE)))
    throw new SettingsError(
      `SVC_DATA_FOLDER: seen ${settings.dataFolder} without data; expected the folder of the service`,
    );
  return settings;
}
