import type { SecretKeys } from '../../../gateway/services.ts';
import type { Clock, Entropy } from '../../../topics/ports/clock.ts';
import type { Room } from '../../../topics/ports/disk-room.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from '../../engines/embedded/engine.ts';
import { remoteFileSystemOf } from '../../engines/embedded/file-system.ts';
import { takeFolder } from '../../engines/embedded/folder-lock.ts';
import { loggedHalts } from '../readiness/halts.ts';
import type { ClusterSettings } from '../settings/cluster-settings.ts';
import { loadSecrets } from '../settings/secret-files.ts';
import { folderFailure } from '../settings/start-failures.ts';
import { connectWithRetry, startRetries } from './connect-with-retry.ts';
import { requireIdentity } from './identity-mark.ts';
import type { Engine, EngineOptions } from './ports.ts';

/** An engine, and the secrets that its data was written with. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly secrets: SecretKeys;
}

/**
 * Opens the engine that the settings name.
 *
 * @throws {StartError} when it cannot be opened: the data folder is in use or a backup, a file in it cannot be used, a server does not
 * answer, or a secret is not the one of the data.
 */
export async function openEngine(options: EngineOptions, entropy: Entropy): Promise<OpenedEngine> {
  const { settings, logger, retries = startRetries(logger) } = options;
  const opened =
    settings.cluster === null
      ? openEmbedded(options, entropy)
      : await openCluster(settings.cluster, { ...options, retries }, entropy);
  try {
    await connectWithRetry(() => requireIdentity(opened.engine.marks, settings, opened.secrets), retries);
    return opened;
  } catch (error) {
    await opened.engine.close();
    throw error;
  }
}

/** Imports the clients of the servers only here: they are a fifth of all modules. */
async function openCluster(cluster: ClusterSettings, options: EngineOptions, entropy: Entropy) {
  const { openClusterEngine } = await import('./cluster-engine.ts');
  return {
    secrets: loadSecrets(options.settings, entropy),
    engine: await openClusterEngine(cluster, options),
  };
}

function openEmbedded(options: EngineOptions, entropy: Entropy): OpenedEngine {
  const { settings, clock, logger, onFatal } = options;
  const folder = settings.dataFolder;
  try {
    const lock = takeFolder(folder);
    try {
      const secrets = loadSecrets(settings, entropy);
      const remote = remoteFileSystemOf(folder);
      if (remote !== null) {
        const said = `SVC_DATA_FOLDER: ${folder} is on ${remote}; the database needs a local file system, and may be damaged on another one`;
        logger.warn({ said }, 'SettingQuestioned');
      }
      const halts = loggedHalts(logger);
      const onRoom = (room: Room, freeBytes: number) =>
        logger.warn({ room, freeBytes, reserveBytes: settings.diskReserveBytes }, 'DiskRoomChanged');
      const reserveBytes = settings.diskReserveBytes;
      const embedded = openEmbeddedEngine({ folder, lock, clock, onFatal, halts, reserveBytes, onRoom });
      return { secrets, engine: engineOf(embedded, clock) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw folderFailure(error, folder);
  }
}

function engineOf(embedded: EmbeddedEngine, clock: Clock): Engine {
  return {
    ...embedded,
    // The log stamps by the clock of its process.
    logClock: { now: () => clock.now(), aheadMs: () => 0 },
    // It is in this process, and ends it on a failure.
    parts: [{ name: 'embedded', answers: async () => {} }],
    tidy: async (now) => [await embedded.sweep(now), (await embedded.log.prune(now)) > 0].includes(true),
  };
}
