import type { Page } from 'playwright-core';
import type { SceneData } from './scene-data.ts';
import { claimPath, importPath, runPath, type Scene, workspace } from './scenes.ts';

/** A page, and the request that it waits for. */
interface Held {
  readonly name: string;
  readonly path: (data: SceneData) => string;
  readonly request: RegExp;
}

const HELD: readonly Held[] = [
  { name: 'workspaces', path: () => '/agent-workspaces', request: /\/v1\/.*\/workspace-overviews/ },
  { name: 'workspace', path: workspace(), request: /\/v1\/.*\/workspaces\/wks_[^/]+$/ },
  { name: 'workspace-overview', path: workspace(), request: /\/v1\/.*\/overview$/ },
  { name: 'imports', path: workspace('/imports'), request: /\/v1\/.*\/imports(\?.*)?$/ },
  { name: 'import', path: (data) => importPath(data, data.ready), request: /\/v1\/.*\/imports\/[^/]+$/ },
  { name: 'import-rows', path: (data) => importPath(data, data.ready), request: /\/v1\/.*\/rows/ },
  { name: 'schemas', path: workspace('/schemas'), request: /\/v1\/.*\/schemas(\?.*)?$/ },
  {
    name: 'schema',
    path: (data) => workspace(`/schemas/${data.ready.schema.schemaId}`)(data),
    request: /\/v1\/.*\/schemas\/sch_[^/]+$/,
  },
  { name: 'checklists', path: workspace('/checklists'), request: /\/v1\/.*\/checklists(\?.*)?$/ },
  {
    name: 'checklist',
    path: (data) => workspace(`/checklists/${data.checklist.checklistId}`)(data),
    request: /\/v1\/.*\/checklists\/chk_[^/]+$/,
  },
  {
    name: 'checklist-counts',
    path: (data) => workspace(`/checklists/${data.checklist.checklistId}`)(data),
    request: /\/v1\/.*\/summary/,
  },
  { name: 'feedback', path: workspace('/feedback'), request: /\/v1\/.*\/widgets$/ },
  { name: 'feedback-inbox', path: workspace('/feedback'), request: /\/v1\/.*\/submissions(\?.*)?$/ },
  { name: 'checks', path: workspace('/checks'), request: /\/v1\/.*\/origins$/ },
  { name: 'checks-suites', path: workspace('/checks'), request: /\/v1\/.*\/suites$/ },
  { name: 'checks-runs', path: workspace('/checks'), request: /\/v1\/.*\/runs(\?.*)?$/ },
  {
    name: 'check-run',
    path: (data) => runPath(data, data.checks.verified),
    request: /\/v1\/.*\/runs\/[^/]+$/,
  },
  { name: 'keys', path: () => '/keys', request: /\/v1\/key-overviews/ },
  { name: 'members', path: () => '/members', request: /\/v1\/console\/members/ },
  { name: 'audit', path: () => '/audit', request: /\/v1\/console\/audit/ },
  { name: 'settings', path: () => '/settings', request: /\/v1\/console\/sessions$/ },
  { name: 'claim', path: claimPath, request: /\/v1\/.*\/claims\// },
];

/** Every page while its data load, and after they could not be read. */
export const HELD_SCENES: readonly Scene[] = HELD.flatMap(({ name, path, request }): Scene[] => [
  {
    name: `${name}-loading`,
    path,
    heading: null,
    before: (page) => page.route(request, () => new Promise(() => undefined)),
    act: (page) => page.locator('[aria-busy=true]').first().waitFor(),
  },
  {
    name: `${name}-failed`,
    path,
    heading: null,
    before: (page) => page.route(request, (route) => route.abort()),
    act: (page: Page) => page.getByRole('button', { name: 'Try again' }).first().waitFor(),
  },
]);
