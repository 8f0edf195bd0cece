import { describe, expect, it } from 'vitest';
import { actionPath, actionWords, listSummary, type NextAction, optIns } from './next-action.ts';

const APPROVE: NextAction = {
  kind: 'approve_import',
  importId: '0198c9c0-0000-4000-8000-000000000000',
  schemaId: 'sch_aaaaaaaaaaaaaaaaaaaaaaaa',
  schemaName: 'Earthquake events',
  count: 1_900,
  since: null,
};

describe('actionWords', () => {
  it('counts with separators, in singular and plural', () => {
    expect(actionWords(APPROVE).title).toBe('Approve 1,900 rows of Earthquake events');
    expect(actionWords({ ...APPROVE, kind: 'correct_import', count: 1 }).short).toBe('Correct 1 row');
    expect(actionWords({ ...APPROVE, kind: 'claim', importId: null, count: 1 }).short).toBe(
      'Claim, 1 verified result',
    );
  });
});

describe('a name from outside', () => {
  it('shows its control characters and cannot turn the text around it', () => {
    const schemaName = 'a\u202eb\n<b>';
    expect(actionWords({ ...APPROVE, schemaName }).title).toBe('Approve 1,900 rows of a‹U+202E›b‹LF›<b>');
  });
});

describe('actionPath', () => {
  it('leads to the import, to the form of a capability, or nowhere else', () => {
    expect(actionPath(APPROVE)).toBe(`/imports/${APPROVE.importId}`);
    expect(actionPath({ ...APPROVE, kind: 'create_capability' })).toBe(
      `/schemas/sch_aaaaaaaaaaaaaaaaaaaaaaaa?do=create-capability&import=${APPROVE.importId}`,
    );
    expect(actionPath({ ...APPROVE, kind: 'resume', importId: null })).toBe('');
  });
});

describe('optIns', () => {
  it('names products by their words', () => {
    expect(optIns(['svcactivate', 'svcimport'])).toBe('Checklist, import');
    expect(optIns([])).toBe('none');
  });
});

describe('listSummary', () => {
  it('says that there are more while pages are missing', () => {
    expect(listSummary(['free', 'preview'], true)).toBe('2, of which 1 claimed');
    expect(listSummary(['free'], false)).toBe('1 or more, of which 1 claimed');
  });
});
