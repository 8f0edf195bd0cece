// Starts: gateways that share one port. Passes on: connections (node:cluster), signals, the metrics of all.
import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { answerScrapes } from './metrics/group-scrape.ts';

/** The time until a gateway that ended by itself is started again. */
const RESTART_MS = SECOND_MS;

/** Gateways that end within a minute before the group ends too: its supervisor starts again or alarms. */
const ENDS_A_MINUTE_MAX = 10;

const EXIT_FAILED = 1;

/**
 * Runs gateways until a signal ends them. The first one starts alone, so that what prevents a start is said once. This process
 * listens on the port and hands each connection to a gateway in turn.
 *
 * @param drainMsMax the time that the gateways have to end after a signal
 */
export function runGatewayGroup(count: number, logger: Logger, drainMsMax: number): void {
  const running = new Set<Worker>();
  let ends: readonly number[] = [];
  let hasStarted = false;
  let isStopping = false;
  let exitCode = 0;
  const start = (): void => {
    if (!isStopping) running.add(cluster.fork());
  };
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal, processes: running.size }, 'GatewaysStopping');
    isStopping = true;
    for (const gateway of running) gateway.process.kill(signal);
    setTimeout(() => endAll(running), drainMsMax).unref();
    if (running.size === 0) process.exit(exitCode);
  };
  cluster.once('listening', () => {
    hasStarted = true;
    for (let others = 1; others < count; others += 1) start();
  });
  cluster.on('exit', (gateway, code: number | null, signal: string | null) => {
    running.delete(gateway);
    if (!hasStarted || isStopping) {
      exitCode ||= code ?? EXIT_FAILED;
      if (running.size === 0) process.exit(exitCode);
      return;
    }
    logger.error({ process: gateway.id, code, signal }, 'GatewayEnded');
    const now = performance.now();
    ends = [...ends.filter((at) => at > now - MINUTE_MS), now];
    if (ends.length > ENDS_A_MINUTE_MAX) endAll(running);
    setTimeout(start, RESTART_MS);
  });
  answerScrapes();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  start();
}

function endAll(running: ReadonlySet<Worker>): never {
  for (const gateway of running) gateway.process.kill('SIGKILL');
  process.exit(EXIT_FAILED);
}
