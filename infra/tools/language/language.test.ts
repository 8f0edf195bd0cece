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
    'It answers what the specification shows.',
    'In the order of the contract ("Answers").',
    'A rule of the design, broken.',
    'A secret that is derived (design\nrule 10).',
    'It takes them, as the document says.',
    'It is refused as specified.',
    'See decision 12.',
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
      expect(found('a.ts', `/**\n * ${word} it is, and\n * more.\n */`)).toEqual([`2: ${word}`]);
      expect(found('a.ts', `// ${word} it is.\n`)).toEqual([]);
    },
  );

  it('finds words that are broken over two lines', () => {
    expect(found('a.ts', '/** Reads a queue of its\n * own. */')).toEqual(['1: of its own']);
    expect(found('a.ts', '// The partition goes\n// on.')).toEqual(['1: goes on']);
    expect(found('a.md', 'The row of then was at\nthat time.')).toEqual([]);
  });

  it('finds a rule in a comment without the document that has it', () => {
    expect(found('a.ts', '/** Holds digests alone (rules 9, 10). */')).toHaveLength(1);
    expect(found('a.ts', '/** Holds digests alone (ARCHITECTURE.md,\n * rule 9). */')).toEqual([]);
    expect(found('a.md', 'The simulation breaks rules 1 to 7.')).toEqual([]);
  });

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

  it('reads what a page shows, and its comments', () => {
    const source = [
      '/** Shows a row. */',
      'function Row<T>({ of }: { of: Keyed<T> }) {',
      '  return <p title="told to nobody here">{/* anew */}',
      '    It is read anew. {of.anew < 3 && <b>anew, and anew</b>}</p>;',
      '}',
    ].join('\n');
    expect(found('a.tsx', source)).toEqual(['3: nobody', '3: anew', '4: anew', '4: anew', '4: anew']);
  });

  it('reads the comments of style sheets', () => {
    expect(found('a.css', '.anew { color: red }\n/* Drawn\n * anew. */\n')).toEqual(['3: anew']);
  });

  it('reads documents without their code', () => {
    expect(found('a.md', 'Read `anew`.\n\n```sh\nanew\n```\n\nanew\n')).toEqual(['7: anew']);
  });

  it('reads the comments of other files', () => {
    expect(found('a.yaml', 'anew: 1\n# anew\n')).toEqual(['2: anew']);
    expect(found('a.lua', 'local anew = 1\n-- anew\n')).toEqual(['2: anew']);
    expect(found('a.bin', 'anew')).toEqual([]);
  });

  it.each([
    "if (error.message.startsWith('body.code')) return;",
    'if (/body/.test(problem.message)) return;',
    "return message === 'No session.';",
  ])('finds a client that decides by a message: %s', (code) => {
    expect(found('widgets/console/a.ts', code)).toHaveLength(1);
    expect(found('cli/a.ts', code)).toHaveLength(1);
    expect(found('cli/a.test.ts', code)).toEqual([]);
    expect(found('gateway/a.ts', code)).toEqual([]);
  });

  it.each([
    'A schedule is no plan.',
    'The runner takes nothing new.',
    'Look at the rows here.',
    'The page grows by itself.',
    'Empty columns are left out.',
    'The claim link has ended.',
  ])('finds what users read as unusual: "%s"', (sentence) => {
    expect(found('a.md', sentence)).toHaveLength(1);
    expect(found('cli/a.ts', `say('${sentence}')`)).toHaveLength(1);
    expect(found('cli/a.ts', `// ${sentence}`)).toEqual([]);
    expect(found('widgets/a.ts', `say('${sentence}')`)).toEqual([]);
  });

  it('accepts plain English', () => {
    expect(found('a.ts', '/** Returns the rows that exist. True if all of them are known. */')).toEqual([]);
    expect(found('a.md', 'The contract between engines. At that time the design is right.')).toEqual([]);
  });
});
