import { type FunctionComponent, h } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { mayOperate, type Session } from '../api/session.ts';
import { PageSkeleton } from '../parts/loading/skeleton.tsx';
import { WorkspacePart } from '../parts/workspace/workspace-part.tsx';
import { loadOrReload } from './load-page.ts';

/** A page of the console. Its code is a separate chunk, loaded when the page is opened or a link to it is pointed at. */
export interface Page {
  /** As wouter matches it. */
  readonly path: string;
  /** `frame`: with the side column, for a person who has signed in. `alone`: one column, for anybody. */
  readonly kind: 'frame' | 'alone';
  readonly View: FunctionComponent<Params>;
  /** Only for operators of the service. */
  readonly forOperators?: true;
  /** Loads the code ahead. */
  readonly load: () => Promise<unknown>;
}

type Params = { readonly params: Record<string, string> };

function page(kind: Page['kind'], path: string, load: () => Promise<FunctionComponent<Params>>): Page {
  return { kind, path, load, View: viewOf(load) };
}

/**
 * The view whose code is loaded when it is shown. A failure is thrown, to be shown in place of the page; the next showing loads
 * again.
 */
function viewOf(load: () => Promise<FunctionComponent<Params>>): FunctionComponent<Params> {
  let loaded: FunctionComponent<Params> | null = null;
  return (props) => {
    const [{ error }, setEnd] = useState<{ readonly error: unknown }>({ error: null });
    useLayoutEffect(() => {
      let isShown = true;
      const end = (error: unknown) => isShown && setEnd({ error });
      const begin = async () => {
        loaded ??= await loadOrReload(load);
      };
      begin().then(() => end(null), end);
      return () => {
        isShown = false;
      };
    }, []);
    if (error !== null) throw error;
    // Called as a part of this component: head and tabs of the skeleton stay the same elements in the page.
    return loaded === null ? skeletonOf(props) : loaded(props);
  };
}

/** The shape of a page whose code loads. In a workspace, the way to its other parts is there meanwhile. */
function skeletonOf({ params: { workspaceId, ...inside } }: Params) {
  if (workspaceId === undefined) return h(PageSkeleton, null);
  // The page of one thing has a line of facts.
  const facts = Object.keys(inside).some((key) => key.endsWith('Id')) ? { meta: null } : {};
  return h(WorkspacePart, { workspaceId, title: null, ...facts, children: null });
}

async function claimPage() {
  return (await import('../pages/claim/page.tsx')).ClaimPage;
}

/** Every page by its address. The first that matches is shown. */
export const PAGES: readonly Page[] = [
  page('alone', '/claim', claimPage),
  // Links of agents name this address. It stands before the page of one workspace.
  page('alone', '/agent-workspaces/claim', claimPage),
  page('alone', '/sign-in', async () => (await import('../pages/people/sign-in.tsx')).SignInPage),
  page('alone', '/sign-up', async () => (await import('../pages/people/sign-up.tsx')).SignUpPage),
  page('alone', '/set-up', async () => (await import('../pages/people/set-up.tsx')).SetUpPage),
  page('alone', '/reset', async () => (await import('../pages/people/reset.tsx')).ResetPage),
  page('alone', '/invitation', async () => (await import('../pages/people/invitation.tsx')).InvitationPage),
  page('alone', '/signed-in', async () => (await import('../pages/people/sign-in.tsx')).SignedInPage),
  page('frame', '/keys', async () => (await import('../pages/keys/page.tsx')).KeysPage),
  page('frame', '/keys/:keyId', async () => (await import('../pages/keys/detail.tsx')).KeyPage),
  page('frame', '/members', async () => (await import('../pages/members/members.tsx')).MembersPage),
  page('frame', '/audit', async () => (await import('../pages/audit/audit.tsx')).AuditPage),
  page('frame', '/settings', async () => (await import('../pages/settings/settings.tsx')).SettingsPage),
  {
    ...page('frame', '/ops', async () => (await import('../pages/operations/operations.tsx')).OperationsPage),
    forOperators: true,
  },
  page(
    'frame',
    '/agent-workspaces',
    async () => (await import('../pages/workspaces/list.tsx')).WorkspacesPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId',
    async () => (await import('../pages/workspaces/detail.tsx')).WorkspacePage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/imports',
    async () => (await import('../pages/imports/list.tsx')).ImportsPage,
  ),
  // It stands before the page of one import.
  page(
    'frame',
    '/agent-workspaces/:workspaceId/imports/upload',
    async () => (await import('../pages/imports/upload/upload.tsx')).UploadPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/imports/:importId',
    async () => (await import('../pages/imports/detail.tsx')).ImportPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/schemas',
    async () => (await import('../pages/schemas/list.tsx')).SchemasPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/schemas/:schemaId',
    async () => (await import('../pages/schemas/detail.tsx')).SchemaPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/checklists',
    async () => (await import('../pages/checklists/list.tsx')).ChecklistsPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/checklists/:checklistId',
    async () => (await import('../pages/checklists/detail.tsx')).ChecklistPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/feedback',
    async () => (await import('../pages/feedback/page.tsx')).FeedbackPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/checks',
    async () => (await import('../pages/checks/list.tsx')).ChecksPage,
  ),
  page(
    'frame',
    '/agent-workspaces/:workspaceId/checks/:runId',
    async () => (await import('../pages/checks/detail.tsx')).RunPage,
  ),
];

/** The pages that a person may open. The others do not exist for that person. */
export function pagesFor(session: Session): readonly Page[] {
  return PAGES.filter(({ forOperators }) => forOperators !== true || mayOperate(session));
}

/** Loads the code of the page at an address, so that opening it does not wait. */
export function loadPage(address: string): void {
  const found = PAGES.find(({ path }) => matches(path, pathOf(address)));
  // A chunk that does not load now is loaded again when the page is opened, and the failure is shown there.
  found?.load().catch(() => undefined);
}

/** True if there is a page at an address. */
export function hasPage(address: string): boolean {
  return PAGES.some(({ path }) => matches(path, pathOf(address)));
}

/** An address without its query and its fragment. */
function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
  );
}
