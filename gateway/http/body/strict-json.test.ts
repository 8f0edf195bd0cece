import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_DEPTH_MAX, parseStrictJson } from './strict-json.ts';

describe('parseStrictJson', () => {
  it('reads every JSON text as JSON.parse does, if no member is named twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(text.isWellFormed() && !/\\u0000|\\ud[89a-f]|"__proto__"/.test(text));
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['a member named twice', '{"a":1,"a":1}', '"a" twice'],
    ['the same name in another spelling', '{"a":1,"\\u0061":2}', '"a" twice'],
    ['a repeat after a nested object', '{"a":{"b":1},"a":2}', '"a" twice'],
    ['a repeat deep inside', '[{"x":[{"b":1,"c":[],"b":2}]}]', '"b" twice'],
    [
      'a name that is no name',
      '{"svc_project_x":1,"svc_project_x":2}',
      'a member whose name is not shown twice',
    ],
    ['__proto__', '{"__proto__":{"admin":true}}', '"__proto__"'],
    ['__proto__ in another spelling', '{"\\u005f_proto__":1}', '"__proto__"'],
    ['NUL in a string', '{"a":"b\\u0000"}', 'U+0000'],
    ['NUL in a name', '{"b\\u0000":1}', 'U+0000'],
    ['half of a surrogate pair', '["\\ud83d"]', 'surrogate'],
    ['a broken text', '{"a":}', 'not valid JSON'],
    ['a comma too many', '{"a":1,}', 'not valid JSON at character 7'],
    ['a text that stops', '{"a":1', 'not valid JSON'],
    ['two texts', '{} {}', 'not valid JSON at character 3'],
    ['a comment', '{/* */}', 'not valid JSON'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => parseStrictJson(text)).toThrow(message);
  });

  it.each([
    ['equal names in different objects', '{"a":{"a":[{"a":1},{"a":1}]}}'],
    ['equal strings that are no names', '{"a":"a","b":["a","a"]}'],
    ['structure inside of strings', '{"a":"{\\"b\\":1,\\"b\\":2}","c":"[[\\\\","d":"]"}'],
    ['names that objects inherit', '{"constructor":1,"toString":2,"hasOwnProperty":3}'],
    ['an empty name', '{"":1}'],
    ['a whole surrogate pair', '["\\ud83d\\ude00","😀"]'],
  ])('accepts %s', (_name, text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  });

  it('bounds how deep a text nests', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseStrictJson(nested(JSON_DEPTH_MAX))).toBeInstanceOf(Array);
    expect(() => parseStrictJson(nested(JSON_DEPTH_MAX + 1))).toThrow('at most 32 levels');
    expect(() => parseStrictJson(nested(100_000))).toThrow('at most 32 levels');
    expect(parseStrictJson(`[${'[],'.repeat(1_000)}{}]`)).toHaveLength(1_001);
  });

  it('never repeats the text in what it says', () => {
    const hidden = 'hidden-value';
    for (const text of [`{"a":"${hidden}}`, `"${hidden}" 1`, `{"${hidden}$":1,"${hidden}$":1}`, hidden]) {
      let message = '';
      try {
        parseStrictJson(text);
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('body: ');
      expect(message).not.toContain(hidden);
    }
  });
});
