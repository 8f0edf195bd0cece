import { describe, expect, it } from 'vitest';
import { TOPIC_NAMES } from '../../../topics/catalogue.ts';
import { findVerb, programHelp, verbHelp } from './help.ts';
import { readVerbLine } from './read-line.ts';
import { VERBS } from './verbs.ts';

const SCREEN_LINES = 40;

describe('npm run ops', () => {
  it.each([
    ['the program', programHelp(VERBS)] as const,
    ...VERBS.map((verb) => [verb.name, verbHelp(verb)] as const),
  ])('shows the help of %s on one screen', (_, help) => {
    const lines = help.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(SCREEN_LINES);
    expect(lines[0]).toMatch(/^npm run ops -- \S/);
  });

  it.each(VERBS.flatMap((verb) => verb.examples.map((example) => [example, verb] as const)))(
    'takes the example "%s" of its help',
    (example, verb) => {
      const words = example.split(' ');
      expect(findVerb(VERBS, words)).toBe(verb);
      readVerbLine(verb, words.slice(verb.name.split(' ').length));
    },
  );

  it('names the verbs that exist for an unknown one', () => {
    const names = VERBS.map(({ name }) => name).join(', ');
    expect(() => findVerb(VERBS, ['growth'])).toThrow(`verb: seen "growth"; expected one of ${names}`);
  });

  it('names the topics that exist for an unknown one, and the whole command for a missing argument', () => {
    const grow = findVerb(VERBS, ['grow']);
    expect(() => readVerbLine(grow, ['exports', '3'])).toThrow(
      `topic: seen "exports"; expected one of ${TOPIC_NAMES.join(', ')}`,
    );
    expect(() => readVerbLine(grow, ['imports'])).toThrow(
      'partitions: seen nothing; expected npm run ops -- grow <topic> <partitions>',
    );
    expect(() => readVerbLine(grow, ['imports', '3', '4'])).toThrow('arguments: seen "4" at the end');
  });
});
