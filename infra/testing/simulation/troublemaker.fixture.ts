import { HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import type { Trouble, TroubleAt } from './conditions.fixture.ts';
import type { Host } from './host.fixture.ts';
import { ENGINE_NAMES, type EngineName } from './network.fixture.ts';
import type { World } from './world.fixture.ts';

const RESTART_MS_MAX = 2_000;
const SESSION_MS_MAX = 2_000;
const STANDSTILL_MS_MAX = 8_000;
const OUTAGE_MS_MAX = 5_000;
/** Less than the distance that halts a partition. */
const CLOCK_JUMP_MS_MAX = 4 * MINUTE_MS;
/** Far more than what halts a partition: someone sets the clock of a machine, and sets it right again. */
const CLOCK_STEP_MS_MAX = HOUR_MS;
const CLOCK_WRONG_MS_MAX = 4_000;
const PROCESSORS_MAX = 4;
/** The time until groups learn that a topic has grown. */
const POLL_INTERVAL_MS = 1_000;

/** Lets things go wrong in a world, and ends it. */
export class Troublemaker {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Plans what goes wrong, and when. */
  plan(troubles: readonly TroubleAt[]): void {
    for (const { trouble, atMs } of troubles) this.#world.scheduler.after(atMs, () => this.#make(trouble));
  }

  #make(trouble: Trouble): void {
    const { random, groups, scheduler, store } = this.#world;
    switch (trouble) {
      case 'processor-crashes':
        this.#crashProcessor();
        return;
      case 'processor-stands-still':
        this.#standStill();
        return;
      case 'processor-joins':
        if (this.#running().length < PROCESSORS_MAX) this.#world.startProcessor();
        return;
      case 'partitions-move':
        groups.rebalance();
        return;
      case 'gateway-crashes':
        this.#crashGateway();
        return;
      case 'engine-goes-down':
        this.#takeDown(random.pick(ENGINE_NAMES));
        return;
      case 'replies-go-down':
        this.#takeDown('replies');
        return;
      case 'replica-is-lost':
        store.loseReplica();
        // Some are never replaced: two of three have to be enough.
        if (random.chance(0.5))
          scheduler.after(random.between(0, OUTAGE_MS_MAX), () => store.regainReplica());
        return;
      case 'log-clock-jumps':
        this.#world.log.clockOffsetMs = this.#jump();
        return;
      case 'clocks-step':
        this.#stepClocks();
        return;
      case 'topic-grows':
        this.#world.log.grow();
        scheduler.after(random.between(0, POLL_INTERVAL_MS), () => groups.look());
        return;
      case 'retention-ends':
        groups.expire();
        return;
      case 'processor-clock-jumps':
        for (const host of this.#running()) host.clockOffsetMs = this.#jump();
        return;
      case 'row-gets-unreadable':
        if (this.#world.damagedKind !== null) store.damageRow(this.#world.damagedKind);
        return;
    }
  }

  /** From here on nothing goes wrong that may not always go wrong: replies stay hints, a lost replica stays lost. */
  async heal(): Promise<void> {
    const { log, network, replies, gateways, scheduler } = this.#world;
    network.conditions = null;
    scheduler.clocksOffsetMs = 0;
    log.clockOffsetMs = 0;
    for (const host of this.#running()) {
      host.clockOffsetMs = 0;
      host.atNextCall(() => {});
    }
    for (const { host } of gateways) host.clockOffsetMs = 0;
    for (const engine of ENGINE_NAMES) network.setDown(engine, false);
    replies.reconnected();
    if (this.#running().length === 0) this.#world.startProcessor();
    if (!gateways.some(({ host }) => host.alive)) await this.#world.startGateway();
  }

  #running(): readonly Host[] {
    return this.#world.processors.filter(({ alive }) => alive);
  }

  #crashProcessor(): void {
    const { random, scheduler, groups } = this.#world;
    this.#toSomeProcessor((host) => {
      host.crash();
      scheduler.after(random.between(0, SESSION_MS_MAX), () => groups.expel(host));
      scheduler.after(random.between(0, RESTART_MS_MAX), () => void this.#world.startProcessor());
    });
  }

  #standStill(): void {
    const { random, scheduler, groups } = this.#world;
    this.#toSomeProcessor((host) => {
      const milliseconds = random.between(1, STANDSTILL_MS_MAX);
      host.standStill(milliseconds);
      const expelledAfter = random.between(0, SESSION_MS_MAX);
      if (expelledAfter > milliseconds) return;
      scheduler.after(expelledAfter, () => groups.expel(host));
      // Another host takes over; the paused one continues with its partitions until it learns of that.
      scheduler.after(expelledAfter, () => void this.#world.startProcessor());
    });
  }

  /** Lets something happen to a processor: now, or in the middle of what it does next. */
  #toSomeProcessor(happen: (host: Host) => void): void {
    const { random } = this.#world;
    const running = this.#running();
    if (running.length === 0) return;
    const host = random.pick(running);
    if (random.chance(0.5)) happen(host);
    else
      host.atNextCall(() => {
        if (host.alive) happen(host);
      });
  }

  #crashGateway(): void {
    const { random, scheduler, gateways } = this.#world;
    const running = gateways.filter(({ host }) => host.alive);
    if (running.length === 0) return;
    random.pick(running).host.crash();
    scheduler.after(random.between(0, RESTART_MS_MAX), () => void this.#world.startGateway());
  }

  #takeDown(engine: EngineName): void {
    const { random, scheduler, network, replies } = this.#world;
    network.setDown(engine, true);
    scheduler.after(random.between(1, OUTAGE_MS_MAX), () => {
      network.setDown(engine, false);
      if (engine === 'replies') replies.reconnected();
    });
  }

  /** Steps every clock by the same, as on a single machine, and back after a while. */
  #stepClocks(): void {
    const { random, scheduler } = this.#world;
    scheduler.clocksOffsetMs = random.between(-CLOCK_STEP_MS_MAX, CLOCK_STEP_MS_MAX);
    scheduler.after(random.between(1, CLOCK_WRONG_MS_MAX), () => {
      scheduler.clocksOffsetMs = 0;
    });
  }

  #jump(): number {
    return this.#world.random.between(-CLOCK_JUMP_MS_MAX, CLOCK_JUMP_MS_MAX);
  }
}
