import { openEmbeddedEngine } from '../embedded/engine.ts';
import { openClusterEngine } from './cluster-engine.ts';
import type { Engine, EngineOptions } from './ports.ts';

/**
 * Opens the engine that the settings name.
 *
 * @throws {Error} when it cannot be opened: the data folder is in use, or a server does not answer.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { settings, clock, logger, onFatal } = options;
  if (settings.cluster !== null) return await openClusterEngine(settings.cluster, options);
  const embedded = openEmbeddedEngine({
    folder: settings.dataFolder,
    clock,
    onFatal,
    onHalt: (halt) => logger.fatal(halt, 'PartitionHalted'),
  });
  return {
    ...embedded,
    // It is in this process, and ends it when it cannot go on.
    answers: async () => {},
    tidy: async (now) => [await embedded.sweep(now), (await embedded.log.prune(now)) > 0].includes(true),
  };
}
