import { describe, expect, it } from 'vitest';
import { emailSchema, normaliseEmail } from './email.ts';

describe('emailSchema', () => {
  it.each(['ada@example.com', ' Ada.Lovelace+work@Example.COM ', 'ü@bücher.example', "o'hara@localhost"])(
    'takes %j',
    (text) => {
      expect(emailSchema.safeParse(text).success).toBe(true);
    },
  );

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'a b@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@example.com\nBcc: eve@example.com',
    '\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}`,
  ])('refuses %j', (text) => {
    expect(emailSchema.safeParse(text).success).toBe(false);
  });

  it.each([
    ['an override of the direction', 'ada\u202emoc.elpmaxe@example.com'],
    ['an isolate', 'ada\u2066@example.com'],
    ['a mark of direction', '\u200fada@example.com'],
    ['a zero-width space', 'ada\u200b@example.com'],
    ['a zero-width joiner', 'a\u200dda@example.com'],
    ['a word joiner', 'ada@exa\u2060mple.com'],
    ['a byte order mark', '\ufeffada@example.com'],
    ['a soft hyphen', 'a\u00adda@example.com'],
    ['a Hangul filler', 'ada\u3164@example.com'],
    ['a tag', 'ada\u{e0061}@example.com'],
  ])('refuses %s, and says why', (_name, text) => {
    const { error } = emailSchema.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^expected an e-mail address without invisible characters/),
    ]);
  });

  it('decides in linear time', () => {
    const started = process.threadCpuUsage();
    emailSchema.safeParse(`a@${'a.'.repeat(120)}!`);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(100);
  });
});

describe('normaliseEmail', () => {
  it('gives one form to every way of writing an address', () => {
    const forms = ['ada@example.com', ' ADA@example.com', 'ada@Example.com\t', 'ａda@example.com'];
    expect(new Set(forms.map(normaliseEmail))).toEqual(new Set(['ada@example.com']));
  });
});
