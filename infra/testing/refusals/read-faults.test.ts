import { describe, expect, it } from 'vitest';
import { isSame, NOT_ANSWERED } from './not-answered.ts';
import { faultsIn, messagePattern, readFaults } from './read-faults.ts';
import { MESSAGE, VAGUE } from './refused.fixture.ts';

/** Its faults are those of schemas, which infra/tools/interface/messages.test.ts drives one by one. */
const OF_SCHEMAS = 'schemas/base/validation.ts';

const written = readFaults();

describe('readFaults', () => {
  it('finds constants, templates and what is handed in', () => {
    const source = `
      const SEEN = refusal('not_found', { at: 'path.id', seen: 'no id', expected: "a caller's" });
      throw serviceError('bad_request', { at: \`body[\${index}]\`, seen, expected: \`at most \${limit}\` }, 3);
    `;
    expect(faultsIn(source)).toEqual([
      { at: 'path.id', seen: 'no id', expected: "a caller's" },
      { at: 'body[…]', seen: '…', expected: 'at most …' },
    ]);
  });

  it('finds the refusals of every product', () => {
    const folders = new Set(written.map(({ file }) => file.split('/').slice(0, 2).join('/')));
    const products = ['imports', 'activate', 'people', 'workspaces'];
    for (const product of products) {
      expect(folders).toContain(`gateway/${product}`);
      expect(folders).toContain(`processors/${product}`);
    }
  });

  it('finds none that names neither what was seen nor what is allowed', () => {
    const blind = written.filter(({ seen, expected }) => seen === '…' && expected === '…');
    expect(new Set(blind.map(({ file }) => file))).toEqual(new Set([OF_SCHEMAS]));
  });
});

describe('a refusal in the sources', () => {
  it.each(written.map((fault) => [fault.file, fault] as const))('of %s has three clear parts', (_, fault) => {
    const message = `${fault.at.replace('…', 'x')}: seen ${fault.seen}, expected ${fault.expected}.`;
    expect(message).toMatch(MESSAGE);
    expect(message).not.toMatch(VAGUE);
    expect(messagePattern(fault).test(`${fault.at}: seen ${fault.seen}, expected ${fault.expected}.`)).toBe(
      true,
    );
  });

  it('that no test can meet is still there', () => {
    const gone = NOT_ANSWERED.filter((one) => !written.some((fault) => isSame(one, fault)));
    expect(gone).toEqual([]);
  });
});
