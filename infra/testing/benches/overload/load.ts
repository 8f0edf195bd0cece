// The load generator: a separate process. Runs each phase that its parent sends, and answers with its figures.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection, statusOf } from '../events/connection.ts';
import { percentile } from '../report.ts';
import {
  type Caller,
  type Figures,
  type Group,
  NUMBER,
  NUMBER_DIGITS,
  type Phase,
  type Result,
} from './protocol.ts';

const TICK_MS = 2;
const RETRY_AFTER = /\r\nretry-after: \S/i;
const NANOSECONDS = 1e6;

/** Far below the backlog of a server: what overflows it is sent again after a second. */
const OPENED_AT_ONCE = 100;

interface Measured {
  readonly accepted: number[];
  readonly refused: number[];
  readonly others: Record<string, number>;
  serverErrors: number;
  unsent: number;
}

/** One caller with its idle connections. */
class Sender {
  readonly caller: Caller;
  readonly #port: number;
  readonly #idle: HttpConnection[] = [];
  /** Requests sent by all phases, which number the next one. */
  #sent = 0;
  #underWay = 0;

  constructor(caller: Caller, port: number) {
    this.caller = caller;
    this.#port = port;
  }

  get underWay(): number {
    return this.#underWay;
  }

  async open(connections: number): Promise<void> {
    while (this.#idle.length < connections) {
      const count = Math.min(OPENED_AT_ONCE, connections - this.#idle.length);
      const opened = Array.from({ length: count }, () =>
        HttpConnection.open(this.#port, this.caller.address),
      );
      this.#idle.push(...(await Promise.all(opened)));
    }
  }

  async send(into: Measured): Promise<void> {
    this.#underWay += 1;
    const sentAt = performance.now();
    try {
      const connection = this.#takeIdle() ?? (await HttpConnection.open(this.#port, this.caller.address));
      const text = await connection.exchange(this.#next());
      this.#idle.push(connection);
      note(into, text, performance.now() - sentAt);
    } catch {
      into.others['broken'] = (into.others['broken'] ?? 0) + 1;
    }
    this.#underWay -= 1;
  }

  #next(): string {
    this.#sent += 1;
    return this.caller.request.replaceAll(NUMBER, String(this.#sent).padStart(NUMBER_DIGITS, '0'));
  }

  #takeIdle(): HttpConnection | null {
    for (let next = this.#idle.shift(); next !== undefined; next = this.#idle.shift()) {
      if (next.isOpen) return next;
    }
    return null;
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}

const senders = new Map<string, Sender>();

process.on('message', (phase: Phase | 'end') => {
  if (phase === 'end') {
    for (const sender of senders.values()) sender.close();
    process.disconnect();
    return;
  }
  void run(phase).then((result) => process.send?.(result));
});

async function run(phase: Phase): Promise<Result> {
  const groups: Group[] = ['one', 'rest'];
  const measured = new Map(groups.map((group) => [group, nothing()]));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const { caller } of phase.loads) {
    const sender = senders.get(caller.name) ?? new Sender(caller, phase.port);
    senders.set(caller.name, sender);
    await sender.open(phase.connections);
  }
  delay.enable();
  const startedAt = performance.now();
  await Promise.all(
    phase.loads.map(({ caller, group, perSecond }) => {
      const [sender, into] = [senders.get(caller.name), measured.get(group)];
      if (sender === undefined || into === undefined) throw new Error('measuring without a sender');
      return perSecond === null
        ? closedLoop(sender, into, phase)
        : openLoop(sender, into, { ...phase, perSecond });
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const figures = groups.map((group) => [group, figuresOf(measured.get(group) ?? nothing())] as const);
  return {
    ...(Object.fromEntries(figures) as Record<Group, Figures>),
    seconds,
    generatorLateMs: delay.percentile(99) / NANOSECONDS,
  };
}

/** Sends the next request of a connection as soon as one is answered. */
async function closedLoop(sender: Sender, into: Measured, { connections, seconds }: Phase): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt) await sender.send(into);
    }),
  );
}

/** Sends requests at a rate, whether or not earlier ones are answered, as long as a connection is free. */
async function openLoop(
  sender: Sender,
  into: Measured,
  { perSecond, seconds, connections }: Phase & { readonly perSecond: number },
): Promise<void> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  // Callers do not send in step.
  for (let sent = Math.random(); performance.now() < startedAt + seconds * 1_000; ) {
    const due = (perSecond * (performance.now() - startedAt)) / 1_000;
    for (; sent < due; sent += 1) {
      if (sender.underWay >= connections) into.unsent += 1;
      else {
        const request = sender.send(into).finally(() => underWay.delete(request));
        underWay.add(request);
      }
    }
    await pause(TICK_MS);
  }
  await Promise.all(underWay);
}

function note(into: Measured, text: string, ms: number): void {
  const status = statusOf(text);
  if (status < 300) into.accepted.push(ms);
  else if ((status === 429 || status === 503) && RETRY_AFTER.test(text)) into.refused.push(ms);
  else into.others[status] = (into.others[status] ?? 0) + 1;
  if (status >= 500) into.serverErrors += 1;
}

function nothing(): Measured {
  return { accepted: [], refused: [], others: {}, serverErrors: 0, unsent: 0 };
}

function figuresOf({ accepted, refused, ...counts }: Measured): Figures {
  return {
    accepted: accepted.length,
    acceptedP50Ms: rank(accepted, 0.5),
    acceptedP99Ms: rank(accepted, 0.99),
    refused: refused.length,
    refusedP99Ms: rank(refused, 0.99),
    ...counts,
  };
}

function rank(values: readonly number[], share: number): number {
  return values.length === 0 ? 0 : percentile(values, share);
}
