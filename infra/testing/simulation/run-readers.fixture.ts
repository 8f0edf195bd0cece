import { readRun } from '../../../gateway/checks/read-runs.ts';
import { ServiceError } from '../../../schemas/base/errors.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { isOpen } from '../../../schemas/checks/derived-states.ts';
import type { RunDocument } from '../../../schemas/checks/documents.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { HostCrashedError } from './host.fixture.ts';
import type { World } from './world.fixture.ts';

/** Returns a run as a gateway shows it whose clock says `now`; a mutation shows it by another rule. */
export type ShowRun = (run: RunDocument, now: number) => RunDocument;

/** Reads of a run that has ended: a later one may differ. */
const ENDS_READ = 4;

/** Clients that read runs over and over, at gateways whose clocks differ, and keep the ends that they were shown. */
export class RunReaders {
  readonly #world: World;
  readonly #installationId: string;
  readonly #show: ShowRun;
  readonly #ends = new Map<string, Set<string>>();

  constructor(world: World, installationId: string, show: ShowRun = (run) => run) {
    this.#world = world;
    this.#installationId = installationId;
    this.#show = show;
  }

  /** Reads a run for some time, and a few times after its end. */
  async poll(runId: string, forMs: number, pauseMsMax: number): Promise<void> {
    const { random, scheduler } = this.#world;
    const untilMs = scheduler.now + forMs;
    for (let ends = 0; ends < ENDS_READ && scheduler.now < untilMs; ) {
      const run = await this.read(runId);
      if (run !== null && !isOpen(run)) ends += 1;
      await scheduler.sleep(random.between(1, pauseMsMax));
    }
  }

  /** Reads a run once, at any gateway. Returns null if that says nothing. */
  async read(runId: string): Promise<RunDocument | null> {
    const { random, gateways, store } = this.#world;
    const alive = gateways.filter(({ host }) => host.alive);
    if (alive.length === 0) return null;
    const { host, submitter } = random.pick(alive);
    const services = {
      store: store.on(host),
      clock: host.clock,
      submit: submitter.submit,
      entropy: { bytes: (count: number) => random.bytes(count) },
    };
    try {
      const stored = await Promise.race([readRun(services, this.#installationId, runId), host.crashed]);
      const run = this.#show(stored, host.clock.now());
      if (!isOpen(run)) this.#ends.set(runId, (this.#ends.get(runId) ?? new Set()).add(canonicalJson(run)));
      return run;
    } catch (error) {
      const isExpected = [HostCrashedError, ServiceError, EngineUnavailableError].some(
        (kind) => error instanceof kind,
      );
      if (isExpected) return null;
      throw error;
    }
  }

  /** Runs of which clients were shown more than one end. */
  violations(): readonly string[] {
    return [...this.#ends].flatMap(([runId, ends]) =>
      ends.size === 1 ? [] : [`the run ${runId} has ended as ${[...ends].join(' and as ')}`],
    );
  }
}
