import type { Limits } from '../../../schemas/limits.ts';
import type { ProofReader } from '../../../topics/ports/proofs.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { StartedWork } from '../../runtime/product.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { CheckRunner } from './check-runner.ts';
import { findProgram, type RunnerSettings } from './program.ts';
import { runConsumer } from './run-consumer.ts';

interface RunnerParts {
  readonly settings: RunnerSettings;
  readonly guard: EgressGuard;
  readonly proofs: ProofReader;
  readonly limits: Limits;
}

/** The started runner. */
export interface StartedRunner extends StartedWork {
  /** The reason for which it has no browser, for operators; null if it has one. */
  readonly missing: string | null;
}

/** Starts the consumer of browser runs. Browsers start with the first run. */
export function startRunner(
  engines: ProcessorDependencies,
  { settings, guard, proofs, limits }: RunnerParts,
): StartedRunner {
  const stopping = new AbortController();
  const runner = new CheckRunner({ program: findProgram(settings), guard, browsers: settings.browsers });
  return {
    missing: runner.missing,
    works: [runConsumer(engines, { runner, proofs, limits: limits.checks, stopping: stopping.signal })],
    stop: () => stopping.abort(),
    close: () => runner.close(),
  };
}
