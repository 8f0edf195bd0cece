import type { Logger } from 'pino';
import type { Clock } from '../../../../topics/ports/clock.ts';
import type { Log, LogRecord, PartitionHandler } from '../../../../topics/ports/log.ts';
import { migrate } from '../../../engines/cassandra/migrate.ts';
import { EmbeddedEngineFixture } from '../../../engines/embedded/embedded-engine.fixture.ts';
import { openClusterEngine } from '../../../service/engine/cluster-engine.ts';
import type { Engine } from '../../../service/engine/ports.ts';
import { readSettings } from '../../../service/settings/settings.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../../tools/service-process/cluster-removal.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { ManualClock } from '../../contracts/engine.fixture.ts';
import { StoredInFile } from '../stored-in-file.fixture.ts';
import { openStoredOnCluster } from '../stored-on-cluster.fixture.ts';
import type { StoredState } from '../stored-state.fixture.ts';

type Ports = Omit<Engine, 'parts' | 'tidy' | 'close' | 'logClock'>;

/** A dedicated engine for a service that a test composes, with a clock that the test moves. */
export interface MovedEngine {
  readonly clock: ManualClock;
  readonly engine: Ports;
  /** Closes the engine and opens it again on its data. Replaces `engine`. */
  reopen(): Promise<void>;
  /** Runs a function on the stored state, which is valid until the function resolves. */
  look<Result>(at: (stored: StoredState) => Promise<Result>): Promise<Result>;
  /** Closes the engine and removes its data. */
  close(): Promise<void>;
}

/** Opens the engine that this run of the tests has chosen. */
export async function openMovedEngine(logger: Logger): Promise<MovedEngine> {
  return isOnCluster() ? await MovedCluster.open(logger) : new MovedFile(await EmbeddedEngineFixture.open());
}

class MovedFile implements MovedEngine {
  readonly #engine: EmbeddedEngineFixture;

  constructor(engine: EmbeddedEngineFixture) {
    this.#engine = engine;
  }

  get clock(): ManualClock {
    return this.#engine.clock;
  }

  get engine(): Ports {
    return this.#engine.engine;
  }

  reopen(): Promise<void> {
    return this.#engine.reopen();
  }

  look<Result>(at: (stored: StoredState) => Promise<Result>): Promise<Result> {
    return at(new StoredInFile(this.#engine.folder));
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

class MovedCluster implements MovedEngine {
  readonly clock = new ManualClock();
  readonly #environment = clusterEnvironment();
  readonly #logger: Logger;
  readonly #stamps = new Map<string, number>();
  #opened: Engine | null = null;

  static async open(logger: Logger): Promise<MovedCluster> {
    const moved = new MovedCluster(logger);
    await migrate(moved.#settings.cassandra);
    await moved.#open();
    return moved;
  }

  private constructor(logger: Logger) {
    this.#logger = logger;
  }

  get engine(): Ports {
    if (this.#opened === null) throw new Error('using an engine that is closed');
    // Commands say until when they count, and that is compared with the stamps: the brokers' own clock has no part in it.
    const { logClock: _, ...ports } = this.#opened;
    return { ...ports, log: stampedBy(this.clock, this.#stamps, ports.log) };
  }

  async reopen(): Promise<void> {
    await this.#opened?.close();
    await this.#open();
  }

  async look<Result>(at: (stored: StoredState) => Promise<Result>): Promise<Result> {
    const stored = await openStoredOnCluster(this.#environment);
    try {
      return await at(stored);
    } finally {
      await stored.close();
    }
  }

  async close(): Promise<void> {
    await this.#opened?.close();
    await removeFromCluster(this.#environment);
  }

  get #settings() {
    const { cluster } = readSettings(this.#environment);
    if (cluster === null) throw new Error('opening a cluster without its settings');
    return cluster;
  }

  async #open(): Promise<void> {
    this.#opened = await openClusterEngine(this.#settings, { clock: this.clock, logger: this.#logger });
  }
}

/**
 * A log whose records say the time of a clock of ours, because that of the brokers cannot be moved: the time at which a
 * consumer first met the record.
 */
function stampedBy(clock: Clock, stamps: Map<string, number>, log: Log): Log {
  const stampOf = ({ topic, generation, partition, offset }: LogRecord): number => {
    const name = `${topic} ${generation} ${partition} ${offset}`;
    const stamp = stamps.get(name) ?? clock.now();
    stamps.set(name, stamp);
    return stamp;
  };
  return {
    append: (records) => log.append(records),
    consume: (subscription) =>
      log.consume({
        ...subscription,
        open: (assignment) => stampingHandler(stampOf, subscription.open(assignment)),
      }),
  };
}

function stampingHandler(
  stampOf: (record: LogRecord) => number,
  handler: PartitionHandler,
): PartitionHandler {
  return {
    handle: (records) =>
      handler.handle(records.map((record) => ({ ...record, appendedAt: stampOf(record) }))),
    idle: () => handler.idle(),
    close: () => handler.close(),
  };
}
