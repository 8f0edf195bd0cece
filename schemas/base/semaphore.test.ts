import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Tasks that record when they begin and end on demand. */
function controlled(slots: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const run = (name: string) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return slots.run(() => {
      begun.push(name);
      return end.promise;
    });
  };
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)!.resolve(name),
    fail: (name: string) => ends.get(name)!.reject(new Error(name)),
  };
}

class Refused extends Error {}

function semaphore(runningMax: number, waitingMax: number): Semaphore {
  return new Semaphore({ runningMax, waitingMax, refuse: () => new Refused() });
}

describe('Semaphore', () => {
  it('runs at most `runningMax` tasks at once, and the waiting ones in their order', async () => {
    const { begun, run, end } = controlled(semaphore(2, 10));
    const results = ['a', 'b', 'c', 'd'].map(run);
    await Promise.resolve();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await results[1];
    await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
    end('a');
    end('c');
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
    end('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('frees the slot of a task that fails', async () => {
    const { begun, run, end, fail } = controlled(semaphore(1, 1));
    const failing = run('a');
    const next = run('b');
    fail('a');
    await expect(failing).rejects.toThrow('a');
    end('b');
    expect(await next).toBe('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('refuses a task beyond `waitingMax`, without beginning it', async () => {
    const { begun, run, end } = controlled(semaphore(1, 1));
    const tasks = [run('a'), run('b')];
    await expect(run('c')).rejects.toBeInstanceOf(Refused);
    end('a');
    end('b');
    await Promise.all(tasks);
    expect(begun).toEqual(['a', 'b']);
  });

  it('closes once the running tasks have settled, and refuses the others', async () => {
    const slots = semaphore(1, 1);
    const { begun, run, fail } = controlled(slots);
    const running = run('a');
    const waiting = run('b');
    await expect.poll(() => begun).toEqual(['a']);
    let closed = false;
    const closing = slots.close().then(() => {
      closed = true;
    });
    await expect(waiting).rejects.toBeInstanceOf(Refused);
    await expect(run('c')).rejects.toBeInstanceOf(Refused);
    expect(closed).toBe(false);
    fail('a');
    await expect(running).rejects.toThrow('a');
    await closing;
    expect(begun).toEqual(['a']);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'runs nothing after it was closed, %i turns after a slot was handed on',
    async (turns) => {
      const slots = semaphore(1, 1);
      let active = 0;
      const task = async () => {
        active += 1;
        await setImmediate();
        active -= 1;
      };
      const running = slots.run(task);
      const waiting = Promise.allSettled([slots.run(task)]);
      await running;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await slots.close();
      expect(active).toBe(0);
      await waiting;
      expect(active).toBe(0);
    },
  );
});
