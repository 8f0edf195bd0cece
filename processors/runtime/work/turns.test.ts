import { describe, expect, it } from 'vitest';
import type { Party } from '../../../schemas/workspaces/party.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { Turns, WAITING_MAX } from './turns.ts';

const going = new AbortController().signal;

/** Runs of parties that end when the test says so, in the order of their beginnings. */
class Runs {
  readonly begun: string[] = [];
  readonly #turns: Turns;
  readonly #ends: (() => void)[] = [];

  constructor(slots: number) {
    this.#turns = new Turns({ name: 'browser runner', slots });
  }

  request(name: string, party: Partial<Party> = {}, signal = going): Promise<void> {
    const whole = { workspace: name, creator: null, isPreview: false, ...party };
    return this.#turns.run(whole, signal, () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.push(resolve));
    });
  }

  /** Ends the run that began first, until none is left. */
  async endAll(): Promise<string> {
    await settle();
    for (let end = this.#ends.shift(); end !== undefined; end = this.#ends.shift()) {
      end();
      await settle();
    }
    return this.begun.join(' ');
  }

  close(): Promise<void> {
    return this.#turns.close();
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Turns', () => {
  it('lets the workspace with the fewest turns go first, then the run that came first', async () => {
    const runs = new Runs(1);
    for (const name of ['a1', 'a2', 'a3']) void runs.request(name, { workspace: 'a' });
    for (const name of ['b1', 'b2']) void runs.request(name, { workspace: 'b' });
    void runs.request('c1', { workspace: 'c' });
    expect(await runs.endAll()).toBe('a1 b1 c1 a2 b2 a3');
  });

  it('counts the workspaces of one creator together', async () => {
    const runs = new Runs(1);
    for (const name of ['a', 'b', 'c', 'd']) void runs.request(name, { creator: 'crowd' });
    void runs.request('e', { creator: 'single' });
    expect(await runs.endAll()).toBe('a e b c d');
  });

  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
  ])('gives previews at most half of %i slots: %i', async (slots, most) => {
    const runs = new Runs(slots);
    for (let at = 0; at < 6; at += 1) void runs.request(`p${at}`, { isPreview: true });
    await settle();
    expect(runs.begun).toHaveLength(most);
    void runs.request('claimed');
    await settle();
    expect(runs.begun.includes('claimed')).toBe(slots > 1);
    await runs.endAll();
    expect(runs.begun).toHaveLength(7);
  });

  it('lets claimed workspaces go before previews, however many turns they had', async () => {
    const runs = new Runs(1);
    for (const name of ['p1', 'p2', 'p3']) void runs.request(name, { isPreview: true });
    for (const name of ['a1', 'a2', 'a3']) void runs.request(name, { workspace: 'a' });
    expect(await runs.endAll()).toBe('p1 a1 a2 a3 p2 p3');
  });

  it('gives a free slot although the queue is full', async () => {
    const turns = new Turns({ name: 'browser runner', slots: 4 });
    const endless = () => new Promise<void>(() => {});
    const preview = (at: number) => ({ workspace: `p${at}`, creator: `c${at % 5}`, isPreview: true });
    const refused: number[] = [];
    for (let at = 0; at < 400; at += 1) {
      turns.run(preview(at), going, endless).catch(() => refused.push(at));
    }
    const claimed = { workspace: 'w', creator: 'o', isPreview: false };
    await expect(turns.run(claimed, going, async () => 'begun')).resolves.toBe('begun');
    expect(refused).toHaveLength(400 - 2 - WAITING_MAX);
  });

  it('refuses the latest of the creator that has most, when the queue is full', async () => {
    const turns = new Turns({ name: 'browser runner', slots: 1 });
    const refused: string[] = [];
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const ask = (workspace: string, creator: string) => {
      const task = () => {
        begun.push(workspace);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      turns.run({ workspace, creator, isPreview: false }, going, task).catch(() => refused.push(workspace));
    };
    for (let at = 0; at <= WAITING_MAX; at += 1) ask(`a${at}`, 'crowd');
    ask('b', 'single');
    ask(`a${WAITING_MAX + 1}`, 'crowd');
    await settle();
    expect(refused).toEqual([`a${WAITING_MAX}`, `a${WAITING_MAX + 1}`]);
    ends.shift()?.();
    await settle();
    expect(begun).toEqual(['a0', 'b']);
  });

  it('refuses those that wait, and begins none of them, when the process stops', async () => {
    const runs = new Runs(1);
    const stopping = new AbortController();
    const first = runs.request('first', {}, stopping.signal);
    const waiting = [1, 2, 3].map((at) => runs.request(`waiting ${at}`, {}, stopping.signal));
    await settle();
    stopping.abort();
    for (const run of waiting) await expect(run).rejects.toThrow(EngineUnavailableError);
    await expect(runs.request('late', {}, stopping.signal)).rejects.toThrow(EngineUnavailableError);
    const closed = runs.close();
    expect(await runs.endAll()).toBe('first');
    await first;
    await closed;
  });
});
