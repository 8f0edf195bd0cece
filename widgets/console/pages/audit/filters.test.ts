import { describe, expect, it } from 'vitest';
import { actionWords, KNOWN_ACTIONS } from './actions.ts';
import { auditQueryOf, filtersOf, isFiltered, withFilter } from './filters.ts';

describe('the filters of the audit log', () => {
  it('include the last day, which the service leaves out', () => {
    const filters = filtersOf(new URLSearchParams('from=2026-11-01&to=2026-11-30&what=audit.export'));
    expect(auditQueryOf(filters)).toEqual({
      action: 'audit.export',
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
    });
  });

  it('send nothing for an address without filters, or with a day or request id that is none', () => {
    const filters = filtersOf(new URLSearchParams('from=yesterday&to=2026-13-45&request=req_1'));
    expect([auditQueryOf(filters), isFiltered(filters)]).toEqual([{}, false]);
  });

  it('change one by one, and close the row that is open', () => {
    const params = new URLSearchParams('who=usr_1&entry=req_1');
    expect(String(withFilter(params, 'what', 'audit.export'))).toBe('who=usr_1&what=audit.export');
    expect(String(withFilter(params, 'who', ''))).toBe('');
  });
});

describe('actionWords', () => {
  it('reads an unknown action from its name', () => {
    expect(actionWords('feedback.hold-submission')).toBe('Hold submission');
  });

  it('gives every known action other words', () => {
    expect(new Set(KNOWN_ACTIONS.map(actionWords)).size).toBe(KNOWN_ACTIONS.length);
  });
});
