import { type ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { Shares } from '../../../schemas/base/shares.ts';
import type { Approvals, ApprovedScope } from '../../../topics/ports/approvals.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** Requests of one capability that may wait at once. */
export const WAITS_OF_CAPABILITY_MAX = 4;
/** Requests that may wait at once in one gateway: half of its connections. One organization alone has half of them. */
const WAITS_MAX = 5_000;
/** The pause that a request is asked for that may not wait: others end within the seconds they asked for. */
const RETRY_SECONDS = 1;

/** The capability of a request, and whose share its wait takes. */
interface WaitingCaller {
  readonly capability: string;
  /** The organization, or the creator of a preview; null: the installation has a share by itself. */
  readonly holder: string | null;
}

interface Waiter {
  readonly holder: string;
  readonly capability: string;
  /** `{@link ApprovalWait.next}`, or null between two of them. */
  wake: (() => void) | null;
  /** True if an approval was announced since the last {@link ApprovalWait.next}. */
  isAwake: boolean;
}

/** A request that waits for approvals. */
export interface ApprovalWait {
  /** Resolves at the next approval, also at one since the last call; or when the time is over, or the caller has gone. */
  next(milliseconds: number, gone: AbortSignal): Promise<void>;
  /** Gives its place back. */
  end(): void;
}

/** The requests of this gateway that wait until an import of their schema is approved. */
export class ApprovalWaits {
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #ofCapability = new Map<string, number>();
  readonly #shares = new Shares(WAITS_MAX);
  readonly #approvals: Pick<Approvals, 'announce'>;
  #isClosed = false;

  constructor(approvals: Pick<Approvals, 'announce'>) {
    this.#approvals = approvals;
  }

  /** Ends the waits of all gateways for approvals of a schema. Those of a gateway that misses it end with their time. */
  async announce(scope: ApprovedScope): Promise<void> {
    try {
      await this.#approvals.announce(scope);
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.approved(scope);
    }
  }

  /**
   * Starts a wait. An approval from now on ends it, so it has to start before the list is read.
   *
   * @throws {ServiceError} `rate_limited` for more waits than a capability, or its holder, may have
   */
  start({ capability, holder: known }: WaitingCaller, scope: ApprovedScope): ApprovalWait {
    const holder = known ?? scope.installationId;
    const ofCapability = this.#ofCapability.get(capability) ?? 0;
    if (ofCapability >= WAITS_OF_CAPABILITY_MAX)
      throw refused(`${ofCapability} requests of this capability that wait`, 'fewer');
    if (this.#shares.take(holder, 1) !== 'taken')
      throw refused('more requests that wait than the share of one caller', 'fewer at the same time');
    this.#ofCapability.set(capability, ofCapability + 1);
    const key = keyOf(scope);
    const waiters = this.#waiting.get(key) ?? new Set();
    const waiter: Waiter = { holder, capability, wake: null, isAwake: this.#isClosed };
    this.#waiting.set(key, waiters.add(waiter));
    return {
      next: (milliseconds, gone) => nextOf(waiter, milliseconds, gone),
      end: () => this.#end(key, waiter),
    };
  }

  /** Ends the waits for approvals of a schema. */
  approved(scope: ApprovedScope): void {
    for (const waiter of this.#waiting.get(keyOf(scope)) ?? []) rouse(waiter);
  }

  /** Ends all waits: an approval may have been missed. */
  rouseAll(): void {
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) rouse(waiter);
  }

  /** True once the process ends: no request waits any longer. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends all waits, now and later. */
  close(): void {
    this.#isClosed = true;
    this.rouseAll();
  }

  #end(key: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(key);
    const left = (this.#ofCapability.get(waiter.capability) ?? 0) - 1;
    if (left > 0) this.#ofCapability.set(waiter.capability, left);
    else this.#ofCapability.delete(waiter.capability);
    this.#shares.giveBack(waiter.holder, 1);
  }
}

function refused(seen: string, expected: string): ServiceError {
  return serviceError('rate_limited', { at: 'query.wait', seen, expected }, RETRY_SECONDS);
}

function keyOf({ installationId, schemaId }: ApprovedScope): string {
  return `${installationId}/${schemaId}`;
}

function rouse(waiter: Waiter): void {
  waiter.isAwake = true;
  waiter.wake?.();
}

async function nextOf(waiter: Waiter, milliseconds: number, gone: AbortSignal): Promise<void> {
  if (!waiter.isAwake && !gone.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      waiter.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      gone.addEventListener('abort', waiter.wake, { once: true });
    });
    gone.removeEventListener('abort', waiter.wake ?? (() => {}));
    waiter.wake = null;
  }
  waiter.isAwake = false;
}
