import { NO_RESULT } from '../../../schemas/checks/derived-states.ts';
import { type Failure, nothingFound } from '../../../schemas/checks/results.ts';
import { driveOverheadMs } from '../../../schemas/checks/run-time.ts';
import type { Party } from '../../../schemas/workspaces/party.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { RuntimeLogger } from '../../runtime/dependencies.ts';
import { Turns } from '../../runtime/work/turns.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { EgressProxy } from '../egress/proxy.ts';
import { BrowserRoom } from './browser-room.ts';
import type { Driven, RunPlan } from './drive.ts';
import type { FoundProgram } from './program.ts';
import { removeStaleFolders } from './room-folders.ts';

/** Runs of one browser; then a new one takes its place, so that no memory adds up. */
const RUNS_A_BROWSER = 50;
/** Browsers in a row that do not start, before the runner counts as one without a browser. */
const LAUNCH_FAILURES_MAX = 3;

export interface CheckRunnerOptions {
  readonly program: FoundProgram;
  readonly guard: EgressGuard;
  /** Browsers, and so runs, at the same time. */
  readonly browsers: number;
  readonly logger: RuntimeLogger;
  /** True: no other runner would take a run that this one leaves. */
  readonly isAlone: boolean;
  /** Private memory of one browser; absent: the default of the memory watch. */
  readonly memoryMaxMb?: number;
  readonly bytesMax?: number;
}

export interface RunSignals {
  /** Aborted when the process ends. */
  readonly stopping: AbortSignal;
  /** Aborted when the run is to be left to another runner. */
  readonly leaving: AbortSignal;
}

interface WarmRoom {
  readonly room: BrowserRoom;
  runs: number;
}

/**
 * Runs checks, each alone in a browser in a separate room. Browsers stay warm between runs; one that crashed, hung or took
 * too much memory is killed with its whole room, and only its own run notices.
 */
export class CheckRunner {
  readonly #options: CheckRunnerOptions;
  readonly #turns: Turns;
  readonly #idle: WarmRoom[] = [];
  readonly #closing = new Set<Promise<void>>();
  #browsers = 0;
  /** Browsers in a row that did not start. */
  #failures = 0;

  constructor(options: CheckRunnerOptions) {
    this.#options = options;
    this.#turns = new Turns({ name: 'browser runner', slots: options.browsers });
  }

  /** Removes what earlier processes have left behind. Never rejects. */
  async removeLeftovers(): Promise<void> {
    const onFailure = (err: unknown) => this.#options.logger.warn({ err }, 'LeftoverStays');
    await removeStaleFolders(onFailure).catch(onFailure);
  }

  /** The reason for which it has no browser, for operators; null if it has one. */
  get unready(): string | null {
    const { program } = this.#options;
    if ('missing' in program) return program.missing;
    return this.#failures < LAUNCH_FAILURES_MAX ? null : NO_START;
  }

  /** Browsers that have been started and not ended. */
  get browsers(): number {
    return this.#browsers;
  }

  /** Starts a browser that waits for a run, unless the signal is aborted before. Returns true if there is one. */
  async warmUp(stopping: AbortSignal): Promise<boolean> {
    const warm = await this.#acquire(stopping).catch(() => null);
    if (warm !== null) this.#idle.push(warm);
    return warm !== null;
  }

  /**
   * Waits for a browser, calls `begin`, and drives the run unless that returns null.
   *
   * @param begin called once a browser is free; returns the plan of the run
   * @param signals `stopping` ends a run under way, and both refuse one that waits
   * @throws {EngineUnavailableError} before `begin`, if the run should be left to another runner; else what `begin` throws
   */
  async run(
    party: Party,
    begin: () => Promise<RunPlan | null>,
    { stopping, leaving }: RunSignals,
  ): Promise<Driven | null> {
    return await this.#turns.run(party, AbortSignal.any([stopping, leaving]), async () => {
      const warm = await this.#acquire(stopping);
      if (warm === null) return (await begin()) === null ? null : lost(NO_BROWSER);
      const plan = await begin().catch((error: unknown) => {
        this.#release(warm, true);
        throw error;
      });
      if (plan !== null) return await this.#driveInAny(warm, plan, stopping);
      this.#release(warm, true);
      return null;
    });
  }

  /** Ends every browser, once the runs under way have ended. */
  async close(): Promise<void> {
    await this.#turns.close();
    for (const { room } of this.#idle.splice(0)) this.#end(room);
    await Promise.all(this.#closing);
  }

  /** Drives a run. A browser that ends or hangs before it asks for a page is replaced, once: no page has done that. */
  async #driveInAny(warm: WarmRoom, plan: RunPlan, stopping: AbortSignal): Promise<Driven> {
    const driven = await this.#drive(warm, plan, stopping);
    if (driven !== null) return driven;
    const other = await this.#acquire(stopping).catch(() => null);
    return (other === null ? null : await this.#drive(other, plan, stopping)) ?? lost(NO_BROWSER);
  }

  /** Returns null if the browser ended or hung before it asked for a page. */
  async #drive(warm: WarmRoom, plan: RunPlan, signal: AbortSignal): Promise<Driven | null> {
    const { guard, bytesMax, memoryMaxMb, logger } = this.#options;
    const ended = Promise.withResolvers<Failure>();
    const onAbort = () => ended.resolve(NO_RESULT);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    let proxy: EgressProxy | null = null;
    let isClean = false;
    try {
      proxy = await EgressProxy.start({
        guard,
        door: warm.room.door,
        hosts: hostsOf(plan),
        onLimit: () => ended.resolve(TOO_MUCH),
        ...(bytesMax !== undefined && { bytesMax }),
      });
      const flowsMs = plan.flows.reduce((total, { timeoutMs }) => total + timeoutMs, 0);
      const driven = await warm.room.drive({
        plan,
        proxy,
        ended: ended.promise,
        timeoutMs: flowsMs + driveOverheadMs(plan.flows.length),
        ...(memoryMaxMb !== undefined && { memoryMaxMb }),
      });
      isClean = driven.isClean;
      const { failure } = driven.findings;
      if (failure?.reason !== 'crash') return driven;
      logger.warn({ said: failure.message }, 'BrowserLost');
      return proxy.isUsed ? driven : null;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#release(warm, isClean);
      await proxy?.close();
    }
  }

  /**
   * A browser that is warm or newly started; null if there is none and no other runner has one.
   *
   * @throws {EngineUnavailableError} if another runner should try
   */
  async #acquire(stopping: AbortSignal): Promise<WarmRoom | null> {
    const { program, logger, isAlone } = this.#options;
    if ('missing' in program) return null;
    for (let warm = this.#idle.pop(); warm !== undefined; warm = this.#idle.pop()) {
      if (warm.room.isOpen && (await warm.room.answers())) return warm;
      this.#end(warm.room);
    }
    try {
      const room = await BrowserRoom.open(program.program, stopping);
      this.#failures = 0;
      this.#browsers += 1;
      return { room, runs: 0 };
    } catch (error) {
      if (stopping.aborted) throw new EngineUnavailableError('browser');
      this.#failures += 1;
      const said = error instanceof Error ? error.message : 'no reason';
      logger.error({ said, failures: this.#failures }, 'BrowserFailed');
      if (isAlone && this.unready !== null) return null;
      throw new EngineUnavailableError('browser');
    }
  }

  #release(warm: WarmRoom, isClean: boolean): void {
    warm.runs += 1;
    if (isClean && warm.room.isOpen && warm.runs < RUNS_A_BROWSER) this.#idle.push(warm);
    else this.#end(warm.room);
  }

  /** Ends a browser. The next run does not wait for that. */
  #end(room: BrowserRoom): void {
    this.#browsers -= 1;
    const closing = room.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** The hosts that pages of a run may load parts from. */
function hostsOf({ origin, profile }: RunPlan): readonly string[] | null {
  return profile?.allowedHosts === undefined ? null : [...profile.allowedHosts, new URL(origin).hostname];
}

function lost(failure: Failure): Driven {
  return { findings: nothingFound(failure), screenshot: null, isClean: false };
}

const NO_START = `The browser did not start ${LAUNCH_FAILURES_MAX} times in a row: the reason is in the log, at BrowserFailed.`;

const NO_BROWSER: Failure = {
  reason: 'internal',
  message: 'The runner cannot start a browser. The log of the runner has the reason.',
};

const TOO_MUCH: Failure = {
  reason: 'quota',
  message: 'The page loaded more than a run allows. Make it smaller, or check a page that loads less.',
};
