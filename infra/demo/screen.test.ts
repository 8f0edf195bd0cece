import { afterEach, describe, expect, it, vi } from 'vitest';
import { bar, Screen, StepError } from './screen.ts';

const ESCAPE = '\u001b';

afterEach(() => vi.unstubAllEnvs());

describe('a screen', () => {
  it('writes one plain row a step, and each progress once, where there is no terminal', async () => {
    const { screen, text } = open({ isTTY: false });
    const value = await screen.step('agent', 'uploads', async (report) => {
      report('half');
      report('half');
      return ['all of it', 42];
    });
    expect(value).toBe(42);
    expect(text()).toMatch(/^ +1 +agent +uploads +half\n +1 +agent +uploads +all of it +\d+ ms\n$/);
  });

  it('redraws one line on a terminal and leaves the row', async () => {
    vi.stubEnv('NO_COLOR', '');
    const { screen, text } = open({ isTTY: true });
    await screen.step('agent', 'uploads', async (report) => {
      report('half');
      return ['all of it', null];
    });
    expect(text()).toContain(`\r${ESCAPE}[2K`);
    expect(text().split('\n')).toHaveLength(2);
    expect(text()).toContain(`${ESCAPE}[2m`);
  });

  it('uses no colour under NO_COLOR', () => {
    vi.stubEnv('NO_COLOR', '1');
    const { screen, text } = open({ isTTY: true });
    screen.title('Title');
    screen.table(['a', 'b'], [['longer', '1']]);
    expect(text()).not.toContain(ESCAPE);
    expect(text()).toContain('     a       b\n     longer  1\n');
  });

  it('does not say that everything held after a step that could not run', async () => {
    const { screen, text } = open({ isTTY: false });
    await screen.step('agent', 'checks a page', async () => {
      screen.leaveOut();
      return ['not run: no browser', null];
    });
    screen.total();
    expect(screen.isComplete).toBe(false);
    expect(text()).toContain('Everything else held. Not run: 1 of 1 steps');
    expect(text()).not.toContain('Everything held.');
  });

  it('ends with a sentence that says who did what, and why it went wrong', async () => {
    const { screen } = open({ isTTY: false });
    const cause = new Error('waiting for the answer', { cause: new Error('connection refused') });
    const step = screen.step('owner', 'approves', () => Promise.reject(cause));
    await expect(step).rejects.toBeInstanceOf(StepError);
    await expect(step).rejects.toThrow(
      'The demo ended while the owner approves: waiting for the answer: connection refused',
    );
  });
});

describe('a bar', () => {
  it.each([
    [0, 0, '░░░░░░░░░░'],
    [0, 9, '░░░░░░░░░░'],
    [5, 10, '█████░░░░░'],
    [9, 9, '██████████'],
  ])('shows %i of %i', (done, total, expected) => {
    expect(bar(done, total)).toBe(expected);
  });
});

function open({ isTTY }: { isTTY: boolean }) {
  let written = '';
  const write = (chunk: string) => {
    written += chunk;
  };
  return { screen: new Screen({ isTTY, write }), text: () => written };
}
