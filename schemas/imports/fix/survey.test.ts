import { describe, expect, it } from 'vitest';
import { suggested } from './fixed.fixture.ts';

describe('the ends of lines', () => {
  const rows = [
    ['no', 'name'],
    ['1', 'Ada'],
    ['2', 'Bob'],
  ];

  it.each([
    ['an LF at the very end', 'no,name\r1,Ada\r2,Bob\n', ['lineEnds']],
    ['a title that ends with LF', 'Orders 2026\nno,name\r1,Ada\r2,Bob\r', ['titles', 'lineEnds']],
    ['a header that ends with LF', 'no,name\n1,Ada\r2,Bob\r', ['lineEnds']],
  ])('are CR in spite of %s', (_, file, changes) => {
    expect(suggested(file)).toEqual({ changes, rows });
  });

  it('are LF where CR stands in cells', () => {
    expect(suggested('no,name\n1,A\rd\ra\n2,B\ro\rb\n').rows).toEqual([
      ['no', 'name'],
      ['1', 'A\rd\ra'],
      ['2', 'B\ro\rb'],
    ]);
  });
});

describe('a title with commas', () => {
  it.each([';', '\t', '|'])('leaves %j as the separator of the table', (sign) => {
    const { changes } = suggested(`Orders, all\nno${sign}name\n1${sign}Ada\n2${sign}Bob\n`);
    expect(changes).toEqual(['separator', 'titles']);
  });

  it('that could be a header leaves the decision to a person', () => {
    expect(suggested('no,name\nA;B\n1;Ada\n').changes).toContain('[separator]');
  });
});
