import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL_MS, LoopTestClock } from './overload.fixture.ts';
import { Overload, type Place, UNDER_WAY_MIN, WORK_AHEAD_MS_MAX } from './overload.ts';

function isPlace(taken: ReturnType<Overload['admit']>): taken is Place {
  return typeof taken !== 'string';
}

/** Admits requests of a holder until one is refused. */
function fill(overload: Overload, holder: string, most = 100_000) {
  const places: Place[] = [];
  for (;;) {
    const taken = overload.admit(holder);
    if (!isPlace(taken)) return { places, refusal: taken };
    places.push(taken);
    if (places.length === most) return { places, refusal: null };
  }
}

/** A loop without idle time, in which each request takes `msEach`. */
function saturated(msEach: number) {
  const clock = new LoopTestClock();
  const overload = new Overload(clock);
  for (let interval = 0; interval < 40; interval += 1) {
    const taken = Array.from({ length: INTERVAL_MS / msEach }, (_, index) =>
      overload.admit(`caller ${index}`),
    );
    const places = taken.filter(isPlace);
    clock.pass(places.length * msEach, 1);
    for (const place of places) overload.end(place);
    // The rest of the interval is spent on refusals.
    overload.refuse(() => clock.pass((INTERVAL_MS - places.length * msEach) / 2, 1));
    clock.pass((INTERVAL_MS - places.length * msEach) / 2, 1);
  }
  // Measures the last interval.
  for (const place of fill(overload, 'last', 1).places) overload.end(place);
  return { clock, overload };
}

describe('Overload', () => {
  it('admits every request while the loop has idle time', () => {
    const clock = new LoopTestClock();
    const overload = new Overload(clock);
    for (let interval = 0; interval < 20; interval += 1) {
      expect(fill(overload, 'greedy', 1_000).refusal).toBeNull();
      clock.pass(INTERVAL_MS, 0.9);
    }
    expect(overload.isSaturated).toBe(false);
  });

  it('counts a request with a weight as several, and gives all of them back', () => {
    const { overload } = saturated(10);
    const places = Array.from({ length: 4 }, (_, index) =>
      overload.admit(`caller ${index}`, UNDER_WAY_MIN / 4),
    );
    expect(places.every(isPlace)).toBe(true);
    expect(overload.admit('another')).toBe('full');
    for (const place of places) if (isPlace(place)) overload.end(place);
    expect(fill(overload, 'one alone').places).toHaveLength(UNDER_WAY_MIN / 2);
  });

  it('admits as many requests as a saturated loop handles in time', () => {
    const { overload } = saturated(0.1);
    expect(overload.isSaturated).toBe(true);
    const callers = Array.from({ length: 3_000 }, (_, index) => overload.admit(`caller ${index}`));
    const handledInTime = WORK_AHEAD_MS_MAX / 0.1;
    expect(callers.filter(isPlace).length).toBeGreaterThan(0.8 * handledInTime);
    expect(callers.filter(isPlace).length).toBeLessThan(1.1 * handledInTime);
    expect(callers.at(-1)).toBe('full');
  });

  it('refuses the one that has its share, and admits its neighbour', () => {
    const { overload } = saturated(0.1);
    expect(fill(overload, 'greedy').refusal).toBe('share-full');
    expect(isPlace(overload.admit('modest'))).toBe(true);
  });

  it('admits the least number of requests however slow they are', () => {
    const { overload } = saturated(50);
    const callers = Array.from({ length: 2 * UNDER_WAY_MIN }, (_, index) =>
      overload.admit(`caller ${index}`),
    );
    expect(callers.filter(isPlace)).toHaveLength(UNDER_WAY_MIN);
  });

  it('admits every request again once the loop has had idle time', () => {
    const { clock, overload } = saturated(0.1);
    const { refusal } = fill(overload, 'greedy');
    clock.pass(INTERVAL_MS, 0.5);
    expect([refusal, fill(overload, 'greedy', 10_000).refusal]).toEqual(['share-full', null]);
  });

  it('counts no request that waits for longer than the event loop could take', () => {
    const { clock, overload } = saturated(0.1);
    const stuck = fill(overload, 'stuck').places;
    clock.pass(1_000, 1);
    const { places } = fill(overload, 'stuck');
    expect(stuck.length).toBeGreaterThan(UNDER_WAY_MIN / 3);
    expect(places.length).toBeGreaterThan(UNDER_WAY_MIN / 3);
    // Their ends give no second place back.
    for (const place of stuck) overload.end(place);
    expect(overload.admit('stuck')).toBe('share-full');
  });

  it('never admits more than its bound, and loses no place, whatever happens', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('admit' as const), holder: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat(1_000) }),
      fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.integer({ min: 1, max: 400 }),
        busyShare: fc.constantFrom(0, 0.5, 1),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
        const model = new Model();
        for (const each of steps) {
          if (each.kind === 'pass') model.clock.pass(each.ms, each.busyShare);
          if (each.kind === 'end') model.end(each.index);
          if (each.kind === 'admit') model.admit(`holder ${each.holder}`);
        }
        model.endAll();
      }),
    );
  });
});

/** An overload beside the places that were admitted. */
class Model {
  readonly clock = new LoopTestClock();
  readonly #overload = new Overload(this.clock);
  #open: Place[] = [];

  admit(holder: string): void {
    const overload = this.#overload;
    const before = overload.underWay;
    const held = this.#open.filter((place) => place.holder === holder).length;
    const taken = overload.admit(holder);
    if (isPlace(taken)) {
      this.#open.push(taken);
      expect(overload.isSaturated && overload.underWay > overload.most).toBe(false);
    } else {
      expect(overload.isSaturated).toBe(true);
      expect(overload.underWay).toBeLessThanOrEqual(before);
      expect(taken === 'full' || held > 0).toBe(true);
    }
    const young = this.#open.filter(({ since }) => this.clock.now() - since < 1_000).length;
    expect(overload.underWay).toBeGreaterThanOrEqual(young);
    expect(overload.underWay).toBeLessThanOrEqual(this.#open.length);
  }

  end(index: number): void {
    for (const place of this.#open.splice(index, 1)) this.#overload.end(place);
  }

  endAll(): void {
    for (const place of this.#open.splice(0)) this.#overload.end(place);
    expect(this.#overload.underWay).toBe(0);
  }
}
