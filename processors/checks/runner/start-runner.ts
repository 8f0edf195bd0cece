import type { Limits } from '../../../schemas/limits.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { StartedWork } from '../../runtime/fold/product.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { createProofReader } from '../egress/read-proof.ts';
import { CheckRunner } from './check-runner.ts';
import { findProgram, type RunnerSettings } from './program.ts';
import { runConsumers } from './run-consumer.ts';

interface RunnerParts {
  readonly settings: RunnerSettings;
  readonly guard: EgressGuard;
  readonly limits: Limits;
  /** The name of the client in requests of checks. */
  readonly clientName: string;
  /** True: no other runner takes what this one leaves. */
  readonly isAlone: boolean;
}

export interface StartedRunner extends StartedWork {
  /** The reason for which it has no browser just now, for operators; null if it has one. */
  unready(): string | null;
  /** Returns the number of browsers that run. */
  browsers(): number;
  /** Tries to start a browser. Returns true if there is one. */
  warmUp(): Promise<boolean>;
}

/** Starts the consumer of browser runs. Browsers start with the first run. */
export function startRunner(
  engines: ProcessorDependencies,
  { settings, guard, limits, clientName, isAlone }: RunnerParts,
): StartedRunner {
  const stopping = new AbortController();
  const { browsers } = settings;
  const { logger } = engines;
  const runner = new CheckRunner({ program: findProgram(settings), guard, browsers, logger, isAlone });
  // Each run reads its proof in the turn that it has for its browser.
  const proofs = createProofReader({ guard, clientName });
  void runner.removeLeftovers();
  return {
    unready: () => runner.unready,
    browsers: () => runner.browsers,
    warmUp: () => runner.warmUp(stopping.signal),
    works: runConsumers(engines, {
      runner,
      proofs,
      limits: limits.checks,
      clientName,
      stopping: stopping.signal,
    }),
    stop: () => stopping.abort(),
    close: () => runner.close(),
  };
}
