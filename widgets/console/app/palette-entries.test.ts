import { describe, expect, it } from 'vitest';
import { type Entry, fits, markText, matchEntry, orderEntries } from './palette-entries.ts';

const entry = (id: string, group: Entry['group'] = 'Go to'): Entry => ({ id, group, label: id, where: '' });

describe('matchEntry', () => {
  it('leads to the resource in its workspace', () => {
    const found = { id: 'sch_1', name: 'Orders', workspaceId: 'wks_1', workspaceName: 'Shop', createdAt: '' };
    expect(matchEntry({ ...found, kind: 'schema' })).toMatchObject({
      label: 'Orders, schema',
      where: 'sch_1, Shop',
      to: '/agent-workspaces/wks_1/schemas/sch_1',
    });
    expect(matchEntry({ ...found, kind: 'widget', id: 'wid_1', name: 'https://app.example' })).toMatchObject({
      label: 'https://app.example, feedback widget',
      to: '/agent-workspaces/wks_1/feedback?widget=wid_1',
    });
    expect(matchEntry({ ...found, kind: 'workspace' }).to).toBe('/agent-workspaces/wks_1');
    expect(matchEntry({ ...found, kind: 'key', workspaceId: null, workspaceName: null }).to).toBe('/keys');
  });
});

describe('orderEntries', () => {
  it('shows actions first, then what was chosen lately, each once', () => {
    const entries = [entry('a'), entry('b'), entry('act', 'Do'), entry('b')];
    expect(orderEntries(entries, ['b']).map(({ id }) => id)).toEqual(['act', 'b', 'a']);
  });
});

describe('fits', () => {
  it('takes every word of the text, in any order', () => {
    const found = {
      ...entry('x'),
      label: 'Approve 900 rows of Earthquake events',
      where: 'seismic-catalogue',
    };
    expect([fits(found, 'earth appro'), fits(found, 'seismic'), fits(found, 'earth moon')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('markText', () => {
  it('cuts at the text, without regard to case', () => {
    expect(markText('900 rows of Earthquakes', 'earth')).toEqual(['900 rows of ', 'Earth', 'quakes']);
    expect(markText('Keys', 'x')).toEqual(['Keys', '', '']);
  });
});
