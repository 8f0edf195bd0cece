import { vi } from 'vitest';
import { openSubmitter, type Submitter } from '../../../gateway/http/records/submit.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import type { Log, Subscription } from '../../../topics/ports/log.ts';
import type { Conditions } from './conditions.fixture.ts';
import { Host } from './host.fixture.ts';
import { ModelBlobs, ModelDigestIndex, ModelKeyStatuses, ModelReplies } from './model-engines.fixture.ts';
import { ModelGroups } from './model-groups.fixture.ts';
import { type LogFlaws, ModelLog } from './model-log.fixture.ts';
import { ModelStore } from './model-store.fixture.ts';
import { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import { Scheduler } from './scheduler.fixture.ts';

/** The programs of the processes, on engines that may be wrapped. */
export interface Programs {
  /** A processor's subscriptions. */
  readonly subscriptions: (engines: ProcessorDependencies) => readonly Subscription[];
  /** The wrapper of a processor's engines; a mutation breaks a rule here. */
  readonly processorEngines?: (engines: ProcessorDependencies, world: World) => ProcessorDependencies;
  /** The same for a gateway's engines. */
  readonly gatewayEngines?: (engines: ProcessorDependencies, world: World) => ProcessorDependencies;
  /** The rule that the log breaks; a mutation. */
  readonly logFlaws?: LogFlaws;
  /** The kind of rows that may get unreadable. Absent: none does. */
  readonly damagedKind?: string;
}

/** A gateway process and its waiter. */
export interface Gateway {
  readonly host: Host;
  readonly submitter: Submitter;
}

export const STARTS_AT = Date.UTC(2026, 10, 21, 12);
const GATEWAYS = 2;
const PROCESSORS = 2;
/** Clocks of machines that agree well enough for the allowance of a `notAfter`. */
const CLOCK_SKEW_MS_MAX = 400;
/** Shorter than the service's own, so that a run sees many deadlines. */
const DEADLINE_MS = 3_000;
/**
 * The maximum time until everything is quiet after the last fault: a partition whose records are stamped an hour ahead waits until
 * the clock has caught up.
 */
const QUIET_MS_MAX = 2 * HOUR_MS;

const quietLogger = { info() {}, warn() {}, error() {} };

/** Processes and engines in virtual time. All that happens follows from the draws. */
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly log: ModelLog;
  readonly groups: ModelGroups;
  readonly store: ModelStore;
  readonly digestIndex: ModelDigestIndex;
  readonly keyStatuses: ModelKeyStatuses;
  readonly blobs: ModelBlobs;
  readonly replies: ModelReplies;
  readonly processors: Host[] = [];
  readonly gateways: Gateway[] = [];
  readonly damagedKind: string | null;
  readonly #programs: Programs;
  readonly #conditions: Conditions | null;
  #hosts = 0;

  /** Without conditions nothing ever goes wrong. */
  constructor(random: Random, programs: Programs, conditions: Conditions | null) {
    this.random = random;
    this.scheduler = new Scheduler(STARTS_AT);
    this.#programs = programs;
    this.damagedKind = programs.damagedKind ?? null;
    this.#conditions = conditions;
    const { scheduler } = this;
    this.network = new Network(scheduler, random, conditions?.network ?? null);
    this.log = new ModelLog(scheduler, random, this.network, programs.logFlaws ?? {});
    this.groups = new ModelGroups(scheduler, random, this.network, this.log);
    this.store = new ModelStore(scheduler, random, this.network);
    this.digestIndex = new ModelDigestIndex(this.network);
    this.keyStatuses = new ModelKeyStatuses(this.network);
    this.blobs = new ModelBlobs(scheduler, this.network);
    this.replies = new ModelReplies(scheduler, random, this.network, conditions?.replies ?? null);
  }

  /** Starts the processes. Timers are virtual from here on, until {@link close}. */
  async open(): Promise<void> {
    const { setTimeout, clearTimeout } = this.scheduler.timers();
    vi.stubGlobal('setTimeout', setTimeout);
    vi.stubGlobal('clearTimeout', clearTimeout);
    for (let count = 0; count < PROCESSORS; count += 1) this.startProcessor();
    for (let count = 0; count < GATEWAYS; count += 1) await this.startGateway();
  }

  close(): void {
    vi.unstubAllGlobals();
  }

  startProcessor(): Host {
    const host = this.#newHost('processor');
    const engines = this.#enginesOn(host);
    const { processorEngines = (own) => own, subscriptions } = this.#programs;
    this.processors.push(host);
    this.groups.join(host, subscriptions(processorEngines(engines, this)));
    return host;
  }

  async startGateway(): Promise<Gateway> {
    const host = this.#newHost('gateway');
    const { gatewayEngines = (own) => own } = this.#programs;
    const engines = gatewayEngines(this.#enginesOn(host), this);
    const append: Log['append'] = (records) => Promise.race([engines.log.append(records), host.crashed]);
    const submitter = await openSubmitter({
      log: { append },
      store: engines.store,
      replies: engines.replies,
      clock: host.clock,
      address: host.name,
      deadlineMs: DEADLINE_MS,
    });
    const gateway = { host, submitter };
    this.gateways.push(gateway);
    return gateway;
  }

  /**
   * Runs until nothing is left to do.
   *
   * @param quietMsMax how long that may take, in virtual milliseconds
   * @throws {Error} when it does not come to rest.
   */
  async settle(quietMsMax = QUIET_MS_MAX): Promise<void> {
    if ((await this.scheduler.run(this.scheduler.now + quietMsMax)) === 'busy') {
      throw new Error('coming to rest: some work never ends');
    }
  }

  #newHost(kind: string): Host {
    this.#hosts += 1;
    const host = new Host(`${kind}-${this.#hosts}`, this.scheduler);
    if (this.#conditions !== null)
      host.clockOffsetMs = this.random.between(-CLOCK_SKEW_MS_MAX, CLOCK_SKEW_MS_MAX);
    return host;
  }

  #enginesOn(host: Host): ProcessorDependencies {
    const append = this.log.appenderOn(host);
    return {
      log: { append, consume: () => Promise.reject(new Error('consuming beside the groups of the model')) },
      store: this.store.on(host),
      blobs: this.blobs.on(host),
      digestIndex: this.digestIndex.on(host),
      limiter: this.keyStatuses.on(host),
      replies: this.replies.on(host),
      clock: host.clock,
      entropy: { bytes: (count) => this.random.bytes(count) },
      logger: quietLogger,
    };
  }
}
