import { describe, expect, it } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { AGENT, configuration, ImportsWorld, importIdOf, OWNER, START } from './imports-world.fixture.ts';

const DECEMBER = Date.UTC(2026, 11, 1);

/** A claimed workspace that has used this many imports in its preview. */
function claimedAfter(imports: number): ImportsWorld {
  const world = new ImportsWorld();
  for (let count = 0; count < imports; count += 1) expect(world.reserve(`preview ${count}`)).toBe('done');
  world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
  return world;
}

function reserveMany(world: ImportsWorld, prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => world.reserve(`${prefix} ${index}`));
}

const done = (count: number) => Array.from({ length: count }, () => 'done');

describe('imports on Free', () => {
  it('are ten a UTC month, and begin with what the preview has used', () => {
    const world = claimedAfter(3);
    expect(reserveMany(world, 'november', 8)).toEqual([...done(7), 'limit_reached']);
    expect(world.root()).toMatchObject({ importsMade: 10, importsInMonth: { month: '2026-11', made: 10 } });
  });

  it('reset at the first moment of the next month, and say so', () => {
    const world = claimedAfter(0);
    expect(reserveMany(world, 'november', 10)).toEqual(done(10));
    world.now = DECEMBER - 1;
    const refused = world.outcome('reserve-import', world.reservation('too many'));
    expect(refused).toMatchObject({
      kind: 'refused',
      refusal: { code: 'limit_reached', retryAfterSeconds: 1 },
    });
    world.now = DECEMBER;
    expect(reserveMany(world, 'december', 11)).toEqual([...done(10), 'limit_reached']);
    expect(world.root()).toMatchObject({ importsMade: 20, importsInMonth: { month: '2026-12', made: 10 } });
  });

  it('wait for the end of the month at most', () => {
    const world = claimedAfter(0);
    reserveMany(world, 'november', 10);
    const refused = world.outcome('reserve-import', world.reservation('too many'));
    const seconds = (DECEMBER - START) / SECOND_MS;
    expect(refused).toMatchObject({ refusal: { retryAfterSeconds: seconds } });
  });

  it('skip a month without any, and never count an older one', () => {
    const world = claimedAfter(0);
    reserveMany(world, 'november', 4);
    world.now = Date.UTC(2027, 2, 31, 23, 59, 59, 999);
    expect(world.reserve('march')).toBe('done');
    expect(world.root()).toMatchObject({ importsInMonth: { month: '2027-03', made: 1 } });
  });

  it('are charged for good: an end, an erasure and the end of an upload token give nothing back', () => {
    const world = claimedAfter(0);
    reserveMany(world, 'november', 10);
    world.cancel('november 0', OWNER);
    world.erase('november 1');
    world.upload('november 2');
    world.now += 8 * DAY_MS;
    world.tidy('november 3');
    expect(world.reserve('one more')).toBe('limit_reached');
    expect(world.root()).toMatchObject({ importsMade: 10, importsInMonth: { made: 10 } });
  });

  it('are charged before the work and once a key: repeats are free, and refusals cost nothing', () => {
    const world = claimedAfter(0);
    const reservation = world.reservation('november 0');
    for (let count = 0; count < 20; count += 1) {
      expect(world.send('reserve-import', reservation, AGENT, 'one key')).toBe('done');
    }
    const tooLarge = world.reservation('large', { byteLength: 5 * 1_024 * 1_024 + 1 });
    expect(world.send('reserve-import', tooLarge)).toBe('payload_too_large');
    expect(world.root()).toMatchObject({ importsInMonth: { made: 1 } });
    const exact = world.reservation('exact', { byteLength: 5 * 1_024 * 1_024 });
    expect(world.send('reserve-import', exact)).toBe('done');
    expect(world.row('import', importIdOf('large'))).toBeNull();
  });
});

describe('schemas on Free', () => {
  it('are five for good, those of the preview among them', () => {
    const world = claimedAfter(0);
    const create = (letter: string) =>
      world.send('create-schema', {
        schemaId: `sch_${letter.repeat(24)}`,
        configuration: configuration(1),
      });
    expect([...'abcde'].map(create)).toEqual([...done(4), 'limit_reached']);
    world.now = DECEMBER;
    expect(create('f')).toBe('limit_reached');
    expect(world.root()).toMatchObject({ schemasMade: 5 });
  });
});

describe('a preview', () => {
  it('counts its whole life, over the turn of a month', () => {
    const world = new ImportsWorld();
    world.now = DECEMBER - DAY_MS;
    world.lifecycle({ expiresAt: DECEMBER + DAY_MS });
    expect(world.reserve('november')).toBe('done');
    world.now = DECEMBER;
    expect(reserveMany(world, 'december', 3)).toEqual([...done(2), 'limit_reached']);
    expect(world.root()).toMatchObject({ importsMade: 3, importsInMonth: null });
  });
});
