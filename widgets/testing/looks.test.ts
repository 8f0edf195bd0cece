import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PICTURE_OPTIONS, wantedPictures } from './looks.ts';

const wanted = (...args: string[]) => wantedPictures(parseArgs({ ...PICTURE_OPTIONS, args }));
const namesOf = (...args: string[]) => wanted(...args).looks.map(({ name }) => name);

describe('wantedPictures', () => {
  it('takes four widths in both schemes, and each special look once, without options', () => {
    expect(namesOf()).toEqual([
      ...[320, 768, 1_280, 1_920].flatMap((width) => [`${width}-light`, `${width}-dark`]),
      '1280-light-forced',
      '1280-light-rtl',
      '1280-light-zoom400',
    ]);
  });

  it('takes the named widths and schemes only', () => {
    expect(namesOf('--width', '320', '--width', '768', '--dark')).toEqual(['320-dark', '768-dark']);
  });

  it('combines the special looks that are named', () => {
    expect(namesOf('--rtl', '--forced-colors', '--light', '--width', '768')).toEqual([
      '768-light-forced-rtl',
    ]);
  });

  it('lays a zoomed page out in fewer CSS pixels', () => {
    const [zoomed] = wanted('--zoom', '400', '--light').looks;
    expect(zoomed?.viewport).toEqual({ width: 320, height: 225 });
  });

  it('keeps the beginnings of scene names', () => {
    expect(wanted('keys', 'import').prefixes).toEqual(['keys', 'import']);
  });
});
