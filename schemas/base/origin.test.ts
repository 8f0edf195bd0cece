import { describe, expect, it } from 'vitest';
import { originSchema, pageOriginSchema } from './origin.ts';
import { wireForms } from './wire.ts';

const pattern = new RegExp(String(wireForms.get(pageOriginSchema)?.adds?.['pattern']), 'u');

describe('pageOriginSchema', () => {
  it.each([
    'https://app.example',
    'https://app.example:8443',
    'https://a_b.xn--bcher-kva.example',
    'https://192.0.2.1:65535',
  ])('takes %s, and so does its pattern in the OpenAPI document', (origin) => {
    expect(pageOriginSchema.safeParse(origin).success).toBe(true);
    expect(pattern.test(origin)).toBe(true);
  });

  it.each(['https://[2001:db8::1]', 'http://localhost:3000', 'http://127.0.0.1:3000'])(
    'takes %s besides',
    (origin) => {
      expect(pageOriginSchema.safeParse(origin).success).toBe(true);
    },
  );

  it.each([
    'https://*.example',
    'https://*',
    'https://app.example/',
    'https://app.example:443',
    'https://App.example',
    'https://bücher.example',
    'https://ada@app.example',
    'https://1.2.3',
    'https://app.example:0443',
    'https://app.example:65536',
    'https://a$b.example',
    'https://app..example',
    'https://.app.example',
    'https://app.example.',
    `https://${'a'.repeat(64)}.example`,
    'http://app.example',
    'null',
    '*',
  ])('refuses %s, and so does its pattern in the OpenAPI document', (origin) => {
    expect(pageOriginSchema.safeParse(origin).success).toBe(false);
    expect(pattern.test(origin)).toBe(false);
  });
});

describe('a refused origin', () => {
  it.each([
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://BÜCHER.example:443/', 'https://xn--bcher-kva.example'],
    ['http://bücher.example', 'https://app.example.com'],
    ['https://App.example', 'https://app.example.com'],
  ])('of %s is answered with %s', (origin, expected) => {
    const { error } = pageOriginSchema.safeParse(origin);
    expect(error?.issues[0]?.message.endsWith(` ${expected}`)).toBe(true);
  });
});

describe('originSchema', () => {
  it('still reads an origin that requests could name before', () => {
    expect(originSchema.parse('https://*.example')).toBe('https://*.example');
  });
});
