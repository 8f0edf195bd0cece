/** Promises that have been settled run to their end before the next turn of the event loop. */
const nextTurn = setImmediate;

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Virtual time, and the only order in which anything happens: one task after the other, by time, each with all that its
 * promises lead to. Nothing waits for a real timer, so that a run follows from its draws alone.
 */
export class Scheduler {
  readonly #heap: Task[] = [];
  #now: number;
  #order = 0;
  /** The common offset of all clocks, in milliseconds. */
  clocksOffsetMs = 0;

  constructor(startsAt: number) {
    this.#now = startsAt;
  }

  /** Unix milliseconds, the true time that no clock of a machine shows exactly. */
  get now(): number {
    return this.#now;
  }

  /** The time that a clock shows which is this far from all others, in milliseconds. */
  shownTime(offsetMs: number): number {
    return this.#now + this.clocksOffsetMs + offsetMs;
  }

  /** Tasks run so far. */
  get steps(): number {
    return this.#order - this.#heap.length;
  }

  after(delayMs: number, run: () => void): void {
    this.#order += 1;
    push(this.#heap, { at: this.#now + Math.max(0, delayMs), order: this.#order, run });
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Runs what is due until nothing is left to run, or until the time given. Says which of both it was. */
  async run(untilMs: number): Promise<'quiet' | 'busy'> {
    await settle();
    for (let task = this.#heap[0]; task !== undefined; task = this.#heap[0]) {
      if (task.at > untilMs) {
        this.#now = untilMs;
        return 'busy';
      }
      pop(this.#heap);
      this.#now = task.at;
      task.run();
      await settle();
    }
    return 'quiet';
  }

  /** Timers of the virtual time, for code that takes the global ones. */
  timers() {
    const cleared = new WeakSet<object>();
    return {
      setTimeout: (run: () => void, delayMs = 0): object => {
        const handle = {};
        this.after(delayMs, () => {
          if (!cleared.has(handle)) run();
        });
        return handle;
      },
      clearTimeout: (handle: object | null | undefined): void => {
        if (handle != null) cleared.add(handle);
      },
    };
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

function isBefore(left: Task, right: Task): boolean {
  return left.at === right.at ? left.order < right.order : left.at < right.at;
}

function push(heap: Task[], task: Task): void {
  let index = heap.push(task) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!swapIfBefore(heap, index, parent)) return;
    index = parent;
  }
}

/** Takes the first task out of a heap that has one. */
function pop(heap: Task[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let index = 0; ; ) {
    const left = 2 * index + 1;
    const [a, b] = [heap[left], heap[left + 1]];
    if (a === undefined) return;
    const first = b !== undefined && isBefore(b, a) ? left + 1 : left;
    if (!swapIfBefore(heap, first, index)) return;
    index = first;
  }
}

function swapIfBefore(heap: Task[], one: number, other: number): boolean {
  const [a, b] = [heap[one], heap[other]];
  if (a === undefined || b === undefined || !isBefore(a, b)) return false;
  heap[one] = b;
  heap[other] = a;
  return true;
}
