import { describe, expect, it } from 'vitest';
import { readProse } from './read-prose.ts';
import { findings } from './rules.ts';

/** Returns what the rules find in one file, as `line: words`. */
function found(path: string, text: string): string[] {
  return readProse(path, text)
    .flatMap(findings)
    .map(({ line, found: words }) => `${line}: ${words}`);
}

describe('the language check', () => {
  it.each([
    'Nobody waits.',
    'Whoever asks is answered.',
    'It is read anew.',
    'A queue of its own.',
    'What comes to it is kept.',
    'The partition goes on.',
    'It lets go of rows.',
    'So many rows fit.',
    'Likewise for topics.',
    'See specification 2.4.',
    'See contract "Answers".',
    'By design rule 7.',
  ])('finds "%s"', (sentence) => {
    expect(found('a.md', sentence)).toHaveLength(1);
  });

  it.each(['What', 'Whether', 'Who', 'Whose', 'Where', 'How'])(
    'finds a doc comment with a sentence that opens with "%s"',
    (word) => {
      expect(found('a.ts', `/** ${word} it is. */`)).toEqual([`1: ${word}`]);
      expect(
        found('a.ts', `/**\n * Returns a row.\n * ${word} it is.\n * @returns ${word} else\n */`),
      ).toEqual([`3: ${word}`, `4: ${word}`]);
      expect(found('a.ts', `// ${word} it is.\n`)).toEqual([]);
    },
  );

  it('reads comments, messages and test names of sources, and no code', () => {
    const source = [
      "import { nobody } from './nobody.ts';",
      '/** Returns a row. */',
      ['const anew = `the row $', '{nobody} is read anew`; // anew'].join(''),
      '// The first line,',
      '// anew.',
      "it('is read by nobody at all', () => /anew/.test(anew));",
    ].join('\n');
    expect(found('a.ts', source)).toEqual(['3: anew', '3: anew', '5: anew', '6: nobody']);
  });

  it('reads documents without their code', () => {
    expect(found('a.md', 'Read `anew`.\n\n```sh\nanew\n```\n\nanew\n')).toEqual(['7: anew']);
  });

  it('reads the comments of other files', () => {
    expect(found('a.yaml', 'anew: 1\n# anew\n')).toEqual(['2: anew']);
    expect(found('a.lua', 'local anew = 1\n-- anew\n')).toEqual(['2: anew']);
    expect(found('a.bin', 'anew')).toEqual([]);
  });

  it('accepts plain English', () => {
    expect(found('a.ts', '/** Returns the rows that exist. True if all of them are known. */')).toEqual([]);
    expect(found('a.md', 'The contract between engines. At that time the design is right.')).toEqual([]);
  });
});
