import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

const MIB = 1_024 * 1_024;

describe('LineSplitter', () => {
  it('joins the pieces of a line, also where one cuts a character', () => {
    const splitter = new LineSplitter();
    const bytes = Buffer.from('{"a":"ü"}\n{}\n\nlast');
    const lines = [...bytes].flatMap((byte) => splitter.take(Buffer.from([byte])));
    expect([...lines, splitter.end()]).toEqual(['{"a":"ü"}', '{}', '', 'last']);
  });

  it('leaves out a byte order mark in front of a line, as PowerShell sends it', () => {
    const splitter = new LineSplitter();
    expect(splitter.take(Buffer.from('\ufeff{}\r\n{"a":"\ufeff"}\n'))).toEqual(['{}\r', '{"a":"\ufeff"}']);
    expect(new LineSplitter().take(Buffer.from('\ufeff\n'))).toEqual(['']);
  });

  it('takes a message of the maximum size, and keeps both ends of a longer one', () => {
    const splitter = new LineSplitter();
    expect(splitter.take(Buffer.concat([Buffer.alloc(MIB, 'a'), Buffer.from('\n')]))[0]).toHaveLength(MIB);
    expect(splitter.take(Buffer.alloc(MIB, 'a'))).toEqual([]);
    expect(splitter.take(Buffer.from('z\n{}\n'))).toEqual([
      { ends: `${'a'.repeat(256)}${'a'.repeat(255)}z` },
      '{}',
    ]);
  });
});
