import { Semaphore } from '../../../schemas/base/semaphore.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { type Failure, nothingFound } from '../../../schemas/checks/results.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { EgressProxy } from '../egress/proxy.ts';
import { RunningBrowser } from './browser.ts';
import { type Driven, drive, type RunPlan } from './drive.ts';
import { watchMemory } from './memory-watch.ts';
import { removeStaleFolders } from './profile-folders.ts';
import type { FoundProgram } from './program.ts';

/** Runs that wait for a browser of this process. */
const WAITING_MAX = 64;
/** Runs of one browser; then a new one takes its place, so that no memory adds up. */
const RUNS_A_BROWSER = 50;
/** The time of a run beside that of its flows. */
const OVERHEAD_MS = 20_000;

export interface CheckRunnerOptions {
  readonly program: FoundProgram;
  readonly guard: EgressGuard;
  /** Browsers, and so runs, at the same time. */
  readonly browsers: number;
  /** Private memory of one browser; absent: the default of the memory watch. */
  readonly memoryMaxMb?: number;
  readonly bytesMax?: number;
}

interface WarmBrowser {
  readonly running: RunningBrowser;
  runs: number;
}

/**
 * Runs checks, each alone in a browser. Browsers stay warm between runs; one that crashed, hung or took too much memory is
 * killed with its whole process group, and only its own run notices.
 */
export class CheckRunner {
  readonly #options: CheckRunnerOptions;
  readonly #slots: Semaphore;
  readonly #idle: WarmBrowser[] = [];

  constructor(options: CheckRunnerOptions) {
    removeStaleFolders();
    this.#options = options;
    this.#slots = new Semaphore({
      runningMax: options.browsers,
      waitingMax: WAITING_MAX,
      refuse: () => new EngineUnavailableError('browser runner'),
    });
  }

  /** The reason for which there is no browser, for operators; null if there is one. */
  get missing(): string | null {
    return 'missing' in this.#options.program ? this.#options.program.missing : null;
  }

  /**
   * Waits for a browser, calls `begin`, and drives the run unless that returns null.
   *
   * @param begin called once a browser is free; returns the plan of the run
   * @param signal ends the run when this process ends
   * @throws {EngineUnavailableError} if too many runs wait; else what `begin` throws
   */
  async run(begin: () => Promise<RunPlan | null>, signal: AbortSignal): Promise<Driven | null> {
    return await this.#slots.run(async () => {
      const plan = await begin();
      return plan === null ? null : await this.#drive(plan, signal);
    });
  }

  /** Ends every browser, once the runs under way have ended. */
  async close(): Promise<void> {
    await this.#slots.close();
    await Promise.all(this.#idle.splice(0).map(({ running }) => running.close()));
  }

  async #drive(plan: RunPlan, signal: AbortSignal): Promise<Driven> {
    const warm = await this.#acquire();
    if (warm === null) return { findings: nothingFound(NO_BROWSER), screenshot: null, isClean: false };
    const { running } = warm;
    const ended = Promise.withResolvers<Failure>();
    const proxy = await EgressProxy.start({
      guard: this.#options.guard,
      door: running.door,
      hosts: hostsOf(plan),
      onLimit: () => ended.resolve(TOO_MUCH),
      ...(this.#options.bytesMax !== undefined && { bytesMax: this.#options.bytesMax }),
    });
    const stopWatch = watchMemory(running, {
      ...(this.#options.memoryMaxMb !== undefined && { memoryMaxMb: this.#options.memoryMaxMb }),
      onExceeded: () => {
        ended.resolve(OUT_OF_MEMORY);
        running.kill();
      },
    });
    const onAbort = () => ended.resolve(STOPPED);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const flowsMs = plan.flows.reduce((total, { timeoutMs }) => total + timeoutMs, 0);
      const driven = await withTimeout(
        flowsMs + OVERHEAD_MS,
        drive(plan, { browser: running.browser, proxy, ended: ended.promise }),
        () => new Error('late'),
      ).catch(() => HUNG);
      this.#release(warm, driven.isClean);
      return driven;
    } finally {
      stopWatch();
      signal.removeEventListener('abort', onAbort);
      await proxy.close();
    }
  }

  /** A browser that is warm or newly started; null if there is none on this machine, or it does not start. */
  async #acquire(): Promise<WarmBrowser | null> {
    const { program } = this.#options;
    if ('missing' in program) return null;
    const warm = this.#idle.pop();
    if (warm?.running.browser.isConnected() === true) return warm;
    await warm?.running.close();
    try {
      return { running: await RunningBrowser.launch(program.program), runs: 0 };
    } catch {
      return null;
    }
  }

  #release(warm: WarmBrowser, isClean: boolean): void {
    warm.runs += 1;
    if (isClean && warm.runs < RUNS_A_BROWSER) {
      this.#idle.push(warm);
      return;
    }
    if (!isClean) warm.running.kill();
    // The next run does not wait for the end of this browser.
    warm.running.close().catch(() => undefined);
  }
}

/** The hosts that pages of a run may load parts from. */
function hostsOf({ origin, profile }: RunPlan): readonly string[] | null {
  return profile?.allowedHosts === undefined ? null : [...profile.allowedHosts, new URL(origin).hostname];
}

const NO_BROWSER: Failure = {
  reason: 'internal',
  message: 'The runner has no browser that it can start. Its operator finds the reason in its log.',
};

const STOPPED: Failure = {
  reason: 'internal',
  message: 'The runner ended before the run did. Request another one.',
};

const TOO_MUCH: Failure = {
  reason: 'quota',
  message: 'The page loaded more than a run allows. Make it smaller, or check a page that loads less.',
};

const OUT_OF_MEMORY: Failure = {
  reason: 'crash',
  message: 'The page took more memory than a run allows. Look for data that grows for ever.',
};

const HUNG: Driven = {
  findings: nothingFound({ reason: 'crash', message: 'The browser stopped answering on this page.' }),
  screenshot: null,
  isClean: false,
};
