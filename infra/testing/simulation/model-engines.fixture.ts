import { type Reply, replySchema } from '../../../schemas/base/outcome.ts';
import type { BlobAddress, BlobGroup, Blobs } from '../../../topics/ports/blobs.ts';
import type { DigestIndex, IndexEntry, IndexKey } from '../../../topics/ports/digest-index.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { KeyStatusEntry, Limiter } from '../../../topics/ports/limiter.ts';
import type { Replies, ReplyHandlers, ReplyListener } from '../../../topics/ports/replies.ts';
import type { Host } from './host.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** Pointers; an older write never replaces a newer one, however late it comes. */
export class ModelDigestIndex {
  readonly #network: Network;
  readonly #entries = new Map<string, IndexEntry>();

  constructor(network: Network) {
    this.#network = network;
  }

  on(host: Host): DigestIndex {
    return {
      put: (entry) => this.#network.call(host, 'digestIndex', () => this.#put(entry)),
      get: (key) => this.#network.call(host, 'digestIndex', () => this.entry(key)?.target ?? null),
    };
  }

  /** Everything that was ever pointed at or ended. */
  entries(): readonly IndexEntry[] {
    return [...this.#entries.values()];
  }

  entry({ kind, digest }: IndexKey): IndexEntry | null {
    return this.#entries.get(`${kind}:${digest}`) ?? null;
  }

  #put(entry: IndexEntry): void {
    const known = this.entry(entry);
    if (known === null || known.version <= entry.version)
      this.#entries.set(`${entry.kind}:${entry.digest}`, entry);
  }
}

/** The statuses of the limiter's keys, as far as processors write them. */
export class ModelKeyStatuses {
  readonly #network: Network;
  readonly #entries = new Map<string, KeyStatusEntry>();

  constructor(network: Network) {
    this.#network = network;
  }

  on(host: Host): Pick<Limiter, 'putKeyStatus'> {
    // Redis is one engine: where replies do not arrive, this does not either.
    return { putKeyStatus: (entry) => this.#network.call(host, 'replies', () => this.#put(entry)) };
  }

  #put(entry: KeyStatusEntry): void {
    const known = this.#entries.get(entry.keyId);
    if (known === undefined || known.version <= entry.version) this.#entries.set(entry.keyId, entry);
  }
}

interface HeldGroup {
  readonly blobs: Map<string, Uint8Array>;
  /** When it was removed last: what was begun before does not come back. */
  removedAt: number;
}

/** Whole blobs in memory, each readable once its writer has closed it. */
export class ModelBlobs {
  readonly #scheduler: Scheduler;
  readonly #network: Network;
  readonly #groups = new Map<string, HeldGroup>();

  constructor(scheduler: Scheduler, network: Network) {
    this.#scheduler = scheduler;
    this.#network = network;
  }

  on(host: Host): Blobs {
    const call = <Result>(effect: () => Result) => this.#network.call(host, 'blobs', effect);
    return {
      create: (address) => {
        const chunks: Uint8Array[] = [];
        const begunAt = this.#scheduler.now;
        return {
          write: async (bytes) => void chunks.push(bytes),
          close: () => call(() => this.#write(address, Buffer.concat(chunks), begunAt)),
          abort: async () => void chunks.splice(0),
        };
      },
      size: (address) => call(() => this.#find(address)?.length ?? null),
      read: (address, range) =>
        call(() => {
          const bytes = this.#find(address);
          return bytes === null ? null : pieces(bytes.subarray(range?.start ?? 0, range?.end));
        }),
      remove: (address) => call(() => void this.#group(address).blobs.delete(address.name)),
      removeGroup: (group) =>
        call(() => {
          const held = this.#group(group);
          held.blobs.clear();
          held.removedAt = this.#scheduler.now;
        }),
    };
  }

  /** Puts bytes there at once, for what happens outside of the run. */
  store(address: BlobAddress, bytes: Uint8Array): void {
    this.#group(address).blobs.set(address.name, bytes);
  }

  /** The names of the blobs of a group. */
  names(group: BlobGroup): readonly string[] {
    return [...this.#group(group).blobs.keys()];
  }

  #write(address: BlobAddress, bytes: Uint8Array, begunAt: number): void {
    if (this.#group(address).removedAt < begunAt) this.store(address, bytes);
  }

  #find(address: BlobAddress): Uint8Array | null {
    return this.#group(address).blobs.get(address.name) ?? null;
  }

  #group({ owner, group }: BlobGroup): HeldGroup {
    const name = JSON.stringify([owner, group]);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const made: HeldGroup = { blobs: new Map(), removedAt: 0 };
    this.#groups.set(name, made);
    return made;
  }
}

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

interface Listening {
  readonly host: Host;
  readonly handlers: ReplyHandlers;
}

/** The faults of replies. */
export interface ReplyFaults {
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
}

const LATE_REPLY_MS_MAX = 8_000;

/** Hints to waiters: lost, doubled, late, and for a while not at all. */
export class ModelReplies {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #network: Network;
  readonly #listening = new Map<string, Listening>();
  faults: ReplyFaults | null;

  constructor(scheduler: Scheduler, random: Random, network: Network, faults: ReplyFaults | null) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#network = network;
    this.faults = faults;
  }

  on(host: Host): Replies {
    return {
      publish: async (address, reply) => {
        if (this.#network.isDown('replies')) {
          await host.sleep(this.#network.latency());
          throw new EngineUnavailableError('replies');
        }
        const text = JSON.stringify(reply);
        for (const delayMs of this.#deliveries()) {
          this.#scheduler.after(delayMs, () => this.#deliver(address, text));
        }
        await host.sleep(this.#network.latency());
      },
      listen: async (address, handlers): Promise<ReplyListener> => {
        this.#listening.set(address, { host, handlers });
        return {
          connected: () => !this.#network.isDown('replies'),
          close: async () => void this.#listening.delete(address),
        };
      },
    };
  }

  /** Tells listeners that the channel is up again. */
  reconnected(): void {
    for (const { host, handlers } of this.#listening.values()) host.deliver(() => handlers.onReconnect());
  }

  #deliveries(): number[] {
    const { faults } = this;
    if (faults === null) return [this.#network.latency()];
    if (this.#random.chance(faults.lost)) return [];
    const latency = () =>
      this.#random.chance(faults.late) ? this.#random.between(0, LATE_REPLY_MS_MAX) : this.#network.latency();
    return this.#random.chance(faults.doubled) ? [latency(), latency()] : [latency()];
  }

  #deliver(address: string, text: string): void {
    const listening = this.#listening.get(address);
    if (listening === undefined || this.#network.isDown('replies')) return;
    const reply: Reply = replySchema.parse(JSON.parse(text));
    listening.host.deliver(() => listening.handlers.onReply(reply));
  }
}
