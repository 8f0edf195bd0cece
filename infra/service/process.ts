// The process: settings from the environment, the service, signals.
import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { createLogger, describeError } from '../../gateway/http/server/logging.ts';
import { reasonOf } from '../engines/embedded/failures.ts';
import { runGatewayGroup } from './gateway-group.ts';
import { keepRequestsYoung, sizeYoungGeneration } from './gc-flags.ts';
import { terminalDestination } from './logging/terminal-lines.ts';
import { type Service, SHUTDOWN_MS_MAX, startService } from './service.ts';
import { readSettings } from './settings/settings.ts';
import { startFailureLine } from './settings/start-failures.ts';

const EXIT_FAILED = 1;
const EXIT_NOT_STARTED = 2;

async function main(): Promise<void> {
  keepRequestsYoung();
  const settings = readSettings(process.env);
  const { stdout } = process;
  const logger = createLogger({
    level: settings.logLevel,
    ...(stdout.isTTY && { destination: terminalDestination(stdout) }),
  });
  if (settings.gatewayProcesses > 1 && cluster.isPrimary) {
    runGatewayGroup(settings.gatewayProcesses, logger, SHUTDOWN_MS_MAX);
    return;
  }
  let service: Service | null = null;
  // Before the start, which waits for servers: the first process of a container receives only signals that it handles.
  stopOnSignal(logger, () => service);
  service = await startService({
    settings,
    logger,
    onFatal: (error) => {
      logger.fatal({ reason: reasonOf(error), error: describeError(error) }, 'EngineFailed');
      // What is in memory cannot be made durable any more; a new start begins with what the disk has.
      process.exit(EXIT_FAILED);
    },
  });
  sizeYoungGeneration('usual');
  logger.info({ address: service.address, hosts: settings.hosts }, 'ServiceStarted');
  // Now, because a process that is killed writes nothing at its end.
  flushCompileCache();
}

/** Ends the process on a signal: at once before the service has started, by draining afterwards. */
function stopOnSignal(logger: Logger, started: () => Service | null): void {
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'ServiceStopping');
    setTimeout(() => process.exit(EXIT_FAILED), SHUTDOWN_MS_MAX).unref();
    Promise.resolve(started()?.close()).then(
      () => process.exit(0),
      () => process.exit(EXIT_FAILED),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${startFailureLine(error)}\n`);
  process.exit(EXIT_NOT_STARTED);
});
