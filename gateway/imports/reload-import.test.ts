import { describe, expect, it } from 'vitest';
import { serviceError } from '../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { LoadedImport } from './load-import.ts';
import { refuseAfterReload, retryAfterReload } from './reload-import.ts';

const GONE = new Error('reading a blob that is not there');
const CANCELLED = serviceError('cancelled', { at: 'import.status', seen: 'cancelled', expected: 'ready' });

/** The calls for an import that is refused from some look on, after this many failures. */
function asked(failures: readonly Error[], refusedFrom = Number.POSITIVE_INFINITY) {
  const left = [...failures];
  let looks = 0;
  return {
    looks: () => looks,
    load: async () => {
      looks += 1;
      if (looks >= refusedFrom) throw CANCELLED;
      return { importId: `look ${looks}` } as LoadedImport;
    },
    work: async ({ importId }: LoadedImport) => {
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return importId;
    },
  };
}

describe('looking again', () => {
  it('is not needed when nothing goes wrong', async () => {
    const { load, work, looks } = asked([]);
    expect(await retryAfterReload(load, work)).toBe('look 1');
    expect(looks()).toBe(1);
  });

  it('works with the import as it is now', async () => {
    const { load, work } = asked([GONE]);
    expect(await retryAfterReload(load, work)).toBe('look 2');
  });

  it('refuses what the import as it is now does not allow', async () => {
    const { load, work } = asked([GONE], 2);
    await expect(retryAfterReload(load, work)).rejects.toBe(CANCELLED);
  });

  it('happens once, so that what is really wrong shows', async () => {
    const { load, work, looks } = asked([GONE, GONE, GONE]);
    await expect(retryAfterReload(load, work)).rejects.toBe(GONE);
    expect(looks()).toBe(2);
  });

  it.each([
    serviceError('not_found', { at: 'query.index', seen: 'no batch', expected: 'a batch' }),
    new EngineUnavailableError('store'),
  ])('does not follow an answer: %s', async (failure) => {
    for (const again of [retryAfterReload, refuseAfterReload]) {
      const { load, work, looks } = asked([failure]);
      await expect(again(load, work)).rejects.toBe(failure);
      expect(looks()).toBe(1);
    }
  });
});

describe('refusing again', () => {
  it('says why the bytes went', async () => {
    const { load, work } = asked([GONE], 2);
    await expect(refuseAfterReload(load, work)).rejects.toBe(CANCELLED);
  });

  it('repeats nothing', async () => {
    const { load, work } = asked([GONE]);
    await expect(refuseAfterReload(load, work)).rejects.toBe(GONE);
    expect(await refuseAfterReload(load, work)).toBe('look 3');
  });
});
