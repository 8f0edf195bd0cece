import type { SeededWorkspace } from '../seeds.ts';
import type { Mark } from './usable.ts';

/** A page that is measured. */
export interface MeasuredPage extends Mark {
  /** The name of its figures. */
  readonly name: string;
  readonly path: string;
  /** The link to it on the page before it in the list, as a selector. */
  readonly link: string;
}

/**
 * The main pages, in an order in which each links to the next one, and the last to the first.
 *
 * @param workspaceId of the workspace that has something on each of its pages
 * @param importId of the import whose table is long
 */
export function measuredPages({ workspaceId }: SeededWorkspace, importId: string): MeasuredPage[] {
  const all = '/agent-workspaces';
  const root = `${all}/${workspaceId}`;
  return [
    place('workspaces', all, 'Workspaces', rowOf('Workspaces table')),
    {
      name: 'workspace',
      path: root,
      heading: 'seismic-catalogue',
      content: '.lanes',
      link: `th a[href="${root}"]`,
    },
    tab('schemas', `${root}/schemas`, 'Schemas', rowOf('Schemas table')),
    tab('checklists', `${root}/checklists`, 'Checklists', rowOf('Checklists table')),
    tab('imports', `${root}/imports`, 'Imports', rowOf('Imports table')),
    {
      name: 'import',
      path: `${root}/imports/${importId}`,
      heading: 'Earthquakes',
      content: '[aria-label="Rows table"] [aria-rowindex="2"]:not([aria-busy])',
      link: `th a[href="${root}/imports/${importId}"]`,
    },
    place('keys', '/keys', 'Keys', rowOf('Active keys table')),
    place('members', '/members', 'Members', rowOf('Members table')),
    place('audit', '/audit', 'Audit', rowOf('Entries table')),
    place('settings', '/settings', 'Settings', rowOf('Sessions table')),
  ];
}

/** A page on the top level. */
function place(name: string, path: string, heading: string, content: string): MeasuredPage {
  return { name, path, heading, content, link: `nav[aria-label="Main"] a[href="${path}"]` };
}

/** A part of a workspace. */
function tab(name: string, path: string, heading: string, content: string): MeasuredPage {
  return { name, path, heading, content, link: `nav[aria-label="Workspace"] a[href="${path}"]` };
}

/** The rows of a table that have loaded, as a selector. */
function rowOf(table: string): string {
  return `[aria-label="${table}"] tbody:not([aria-busy]) tr`;
}
