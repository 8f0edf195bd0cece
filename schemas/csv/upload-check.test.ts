import { describe, expect, it } from 'vitest';
import { everyChunking, inReusedMemory } from './testing/chunkings.ts';
import { fixture, fixtureNames } from './testing/fixtures.ts';
import { UploadCheck } from './upload-check.ts';

async function check(chunks: Iterable<Uint8Array>) {
  const upload = new UploadCheck();
  for (const chunk of chunks) upload.write(chunk);
  return upload.finish();
}

function latin1(text: string) {
  return [Buffer.from(text, 'latin1')];
}

describe('UploadCheck', () => {
  it('reports invalid UTF-8 anywhere in the file before a fault of the header', async () => {
    const invalid = (line: number, byteOffset: number) => ({
      kind: 'fault',
      fault: { code: 'invalid_utf8', line, byteOffset },
    });
    expect(await check(latin1('\na,\xff\n1,2'))).toEqual(invalid(2, 3));
    expect(await check(latin1('a,\xc3\n1,2'))).toEqual(invalid(1, 2));
    expect(await check(latin1('a,a\n1,\xe4'))).toEqual(invalid(2, 6));
    expect(await check(latin1('a\0,\n1,\xe4'))).toEqual(invalid(2, 6));
  });

  it('reports the header of a file that is UTF-8', async () => {
    expect(await check([fixture('quoted')])).toMatchObject({ names: ['id', 'quote', 'note'] });
    expect(await check([fixture('duplicate-header')])).toMatchObject({ fault: { code: 'duplicate_header' } });
    expect(await check([fixture('empty')])).toMatchObject({ fault: { code: 'no_header' } });
  });

  it('leaves the faults behind the header to the split', async () => {
    expect(await check([fixture('nul-in-quotes')])).toMatchObject({ kind: 'header' });
    expect(await check([fixture('header-only')])).toMatchObject({ kind: 'header' });
  });

  it('is the same for every split point of every fixture', async () => {
    for (const name of fixtureNames()) {
      const expected = await check([fixture(name)]);
      for (const chunks of everyChunking(fixture(name))) {
        expect(await check(inReusedMemory(chunks)), name).toEqual(expected);
      }
    }
  });
});
