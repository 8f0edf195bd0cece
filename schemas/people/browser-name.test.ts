import { describe, expect, it } from 'vitest';
import { browserNameOf, browserNameSchema } from './browser-name.ts';

describe('browserNameOf', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
  ])('reads %s', (userAgent, name) => {
    expect(browserNameOf(userAgent)).toBe(name);
    expect(browserNameSchema.parse(name)).toBe(name);
  });

  it.each([undefined, '', 'curl/8.14.1', 'Firefox/143.0 of Ada', 'Windows'])(
    'does not know %s',
    (userAgent) => {
      expect(browserNameOf(userAgent)).toBeNull();
    },
  );

  it('keeps no other word of a program', () => {
    expect(browserNameSchema.safeParse('Firefox on Ada').success).toBe(false);
  });
});
