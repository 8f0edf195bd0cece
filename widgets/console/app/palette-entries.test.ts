import { describe, expect, it } from 'vitest';
import { type Entry, fits, markText, matchEntry, orderEntries, workspacePages } from './palette-entries.ts';

const entry = (id: string, group: Entry['group'] = 'Go to'): Entry => ({ id, group, label: id, where: '' });

const NOW = Date.UTC(2026, 8, 16, 12);
const FOUND = {
  id: 'sch_1',
  name: 'Orders',
  workspaceId: 'wks_1',
  workspaceName: 'Shop',
  workspaceState: 'active',
  importState: null,
  revision: null,
  createdAt: '2026-09-16T10:00:00.000Z',
} as const;

describe('matchEntry', () => {
  it('leads to the resource in its workspace', () => {
    expect(matchEntry({ ...FOUND, kind: 'schema', revision: 3 }, NOW)).toMatchObject({
      label: 'Orders, schema',
      where: 'revision 3, Shop',
      to: '/agent-workspaces/wks_1/schemas/sch_1',
    });
    const widget = { ...FOUND, kind: 'widget', id: 'wid_1', name: 'https://app.example' } as const;
    expect(matchEntry(widget, NOW)).toMatchObject({
      label: 'https://app.example, feedback widget',
      where: 'Shop',
      to: '/agent-workspaces/wks_1/feedback?widget=wid_1',
    });
    expect(matchEntry({ ...FOUND, kind: 'workspace' }, NOW).to).toBe('/agent-workspaces/wks_1');
    expect(matchEntry({ ...FOUND, kind: 'run', id: 'run_1' }, NOW)).toMatchObject({
      where: '2 h ago, Shop',
      to: '/agent-workspaces/wks_1/checks/run_1',
    });
    expect(matchEntry({ ...FOUND, kind: 'suite', id: 'sui_1' }, NOW).to).toBe(
      '/agent-workspaces/wks_1/checks?suite=sui_1',
    );
    expect(matchEntry({ ...FOUND, kind: 'origin', id: 'ori_1' }, NOW).to).toBe(
      '/agent-workspaces/wks_1/checks',
    );
    const key = {
      ...FOUND,
      kind: 'key',
      workspaceId: null,
      workspaceName: null,
      workspaceState: null,
    } as const;
    expect(matchEntry(key, NOW)).toMatchObject({ to: '/keys/sch_1', where: '' });
  });

  it('says the state of imports and workspaces', () => {
    expect(matchEntry({ ...FOUND, kind: 'import', importState: 'needs_correction' }, NOW)).toMatchObject({
      where: '2 h ago, Shop',
      state: { word: 'Needs correction', tone: 'warn' },
    });
    expect(matchEntry({ ...FOUND, kind: 'workspace' }, NOW)).toMatchObject({
      where: '',
      state: { word: 'Active', tone: 'ok' },
    });
  });
});

describe('workspacePages', () => {
  it('has the pages of the products that the workspace has, and always feedback and checks', () => {
    const workspace = { workspaceId: 'wks_1', name: 'Shop', products: ['svcactivate'] };
    const pages = workspacePages(workspace);
    expect(pages.map(({ label, where }) => `${label} in ${where}`)).toEqual([
      'Checklists in Shop',
      'Feedback in Shop',
      'Checks in Shop',
    ]);
    expect(pages.at(-1)?.to).toBe('/agent-workspaces/wks_1/checks');
    expect(pages.filter((entry) => fits(entry, 'shop feed')).length).toBe(1);
  });
});

describe('orderEntries', () => {
  it('shows actions first, then what was chosen lately, each once', () => {
    const entries = [entry('a'), entry('b'), entry('act', 'Do'), entry('b')];
    expect(orderEntries(entries, ['b']).map(({ id }) => id)).toEqual(['act', 'b', 'a']);
  });

  it('shows an action of the page once, where the organization has it too', () => {
    const onPage = { ...entry('1', 'On this page'), label: 'Pause workspace', where: 'first-shop' };
    const asked = { ...onPage, id: '2', group: 'Do' } as const;
    const other = { ...asked, id: '3', where: 'second-shop' };
    expect(orderEntries([onPage, asked, other], []).map(({ id }) => id)).toEqual(['2', '3']);
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
