import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import { AGENT, ImportsWorld, installationId, START } from './imports-world.fixture.ts';
import { importId, NAME } from './statuses.fixture.ts';

describe('reserving', () => {
  it('charges a preview for its whole life, and nothing when it refuses', () => {
    const world = new ImportsWorld();
    expect(['a', 'b', 'c', 'd'].map((name) => world.reserve(name))).toEqual([
      'done',
      'done',
      'done',
      'limit_reached',
    ]);
    world.cancel('a', AGENT);
    world.now += HOUR_MS;
    expect(world.reserve('d')).toBe('limit_reached');
    expect(world.root()).toMatchObject({ importsMade: 3 });
  });

  it('refuses a size over the plan with nothing charged', () => {
    const world = new ImportsWorld();
    const bytesMax = DEFAULT_LIMITS.plans.preview.importFileBytes;
    const tooLarge = world.reservation('large', { byteLength: bytesMax + 1 });
    expect(world.send('reserve-import', tooLarge)).toBe('payload_too_large');
    expect(world.root()).toMatchObject({ importsMade: 0 });
    expect(world.send('reserve-import', world.reservation('full', { byteLength: bytesMax }))).toBe('done');
  });

  it('takes the current revision only', () => {
    const world = new ImportsWorld();
    expect(world.send('reserve-import', world.reservation('old', { revision: 2 }))).toBe('revision_conflict');
  });

  it('counts by UTC month once claimed, beginning with what the preview has used', () => {
    const world = new ImportsWorld();
    world.now = Date.UTC(2026, 10, 22);
    for (const name of ['a', 'b', 'c']) world.reserve(name);
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    const made = Array.from({ length: 8 }, (_, index) => world.reserve(`free ${index}`));
    expect(made.filter((verdict) => verdict === 'done')).toHaveLength(7);
    const refused = world.outcome('reserve-import', world.reservation('more'));
    expect(refused).toMatchObject({
      kind: 'refused',
      refusal: { code: 'limit_reached', retryAfterSeconds: (9 * DAY_MS) / 1_000 },
    });
    world.now = Date.UTC(2026, 11, 1);
    expect(world.reserve('december')).toBe('done');
  });

  it('hands out the next token when the last one has ended, without a charge, until none is left', () => {
    const world = new ImportsWorld();
    const again = () => world.outcome('reserve-import', world.reservation(NAME), AGENT, `reserve ${NAME}`);
    const numbers: unknown[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      numbers.push(again(), again());
      world.now += 15 * MINUTE_MS;
    }
    expect(numbers).toMatchObject(
      [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((number) => ({
        kind: 'done',
        result: { importId, token: { number } },
      })),
    );
    expect(again()).toMatchObject({ kind: 'refused', refusal: { code: 'limit_reached' } });
    expect(world.root()).toMatchObject({ importsMade: 1 });
    const digest = sha256Hex(`${importId} token 5`);
    expect(world.folds.digestIndex.get(`upload-token:${digest}`)?.target).toEqual({
      installationId,
      importId,
      number: 5,
    });
  });

  it('hands out a next token also after an upload, whose answer may be lost, and never refuses its repeat', () => {
    const world = new ImportsWorld();
    const again = () => world.result('reserve-import', world.reservation(NAME), AGENT, `reserve ${NAME}`);
    world.reserve(NAME);
    world.upload(NAME);
    expect(again()).toMatchObject({ token: { number: 1 } });
    world.now += 15 * MINUTE_MS;
    expect(again()).toMatchObject({ token: { number: 2, endsAt: world.now + 15 * MINUTE_MS } });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      world.now += 15 * MINUTE_MS;
      again();
    }
    expect(again()).toMatchObject({ token: { number: 5 } });
    expect(world.send('cancel-import', { importId })).toBe('done');
    expect(again()).toMatchObject({ token: { number: 5 } });
    expect(world.root()).toMatchObject({ importsMade: 1 });
  });
});

describe('uploading', () => {
  it('keeps the first bytes and removes those of a second upload', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    world.upload(NAME, 'source/one');
    world.upload(NAME, 'source/one');
    expect(world.folds.removedBlobs).toEqual([]);
    world.upload(NAME, 'source/two');
    expect(world.document(NAME).source?.name).toBe('source/one');
    expect(world.folds.removedBlobs).toEqual([
      { owner: installationId, group: importId, name: 'source/two' },
    ]);
  });

  it('counts the seven days from the end of the upload', () => {
    const world = new ImportsWorld();
    world.lifecycle({ plan: 'free', state: 'active', expiresAt: null });
    world.reserve(NAME);
    world.now += 6 * DAY_MS;
    world.upload(NAME);
    expect(world.document(NAME).retainedUntil).toBe(START + 13 * DAY_MS);
  });

  it('fails the import of a file with a fault, says which, and keeps none of it', () => {
    const world = new ImportsWorld();
    world.reserve(NAME);
    const fault = { code: 'invalid_utf8', line: 2, byteOffset: 9 } as const;
    const result = world.result('import-uploaded', { importId, source: 'source/one', fault });
    expect(result).toMatchObject({ status: 'failed', byteLength: 1_000, failure: fault });
    expect(world.document(NAME).failure).toEqual(fault);
    expect(world.folds.removedGroups).toEqual([{ owner: installationId, group: importId }]);
  });
});
