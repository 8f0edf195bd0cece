import { type FunctionComponent, h } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { mayOperate, type Session } from '../api/session.ts';
import type { PageHeadProps } from '../parts/frame/page-head.tsx';
import { PageSkeleton } from '../parts/loading/skeleton.tsx';
import { WorkspacePart } from '../parts/workspace/workspace-part.tsx';
import { loadOrReload } from './load-page.ts';
import { PATHS, type PagePath } from './paths.ts';

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

/** The parts of the head of a page in a workspace that are known before its code is there. */
type EarlyHead = Pick<PageHeadProps, 'actions' | 'meta' | 'lines'>;

/** A page that lists something, with an action in its head. */
const WITH_ACTION: EarlyHead = { actions: null };
/** The page of one thing, with a line of facts. */
const ONE_THING: EarlyHead = { meta: null, lines: 2 };

function page(
  kind: Page['kind'],
  load: () => Promise<FunctionComponent<Params>>,
  head: EarlyHead = {},
): Omit<Page, 'path'> {
  return { kind, load, View: viewOf(load, head) };
}

/**
 * The view whose code is loaded when it is shown. A failure is thrown, to be shown in place of the page; the next showing loads
 * again.
 */
function viewOf(load: () => Promise<FunctionComponent<Params>>, head: EarlyHead): FunctionComponent<Params> {
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
    return loaded === null ? skeletonOf(props, head) : loaded(props);
  };
}

/** The shape of a page whose code loads. In a workspace, the way to its other parts is there meanwhile. */
function skeletonOf({ params: { workspaceId } }: Params, head: EarlyHead) {
  if (workspaceId === undefined) return h(PageSkeleton, null);
  return h(WorkspacePart, { workspaceId, title: null, ...head, children: null });
}

async function claimPage() {
  return (await import('../pages/claim/page.tsx')).ClaimPage;
}

const BY_PATH: Readonly<Record<PagePath, Omit<Page, 'path'>>> = {
  '/claim': page('alone', claimPage),
  // Links of agents name this address.
  '/agent-workspaces/claim': page('alone', claimPage),
  '/sign-in': page('alone', async () => (await import('../pages/people/sign-in.tsx')).SignInPage),
  '/sign-up': page('alone', async () => (await import('../pages/people/sign-up.tsx')).SignUpPage),
  '/set-up': page('alone', async () => (await import('../pages/people/set-up.tsx')).SetUpPage),
  '/forgot-password': page(
    'alone',
    async () => (await import('../pages/people/forgot-password.tsx')).ForgotPasswordPage,
  ),
  '/reset': page('alone', async () => (await import('../pages/people/reset.tsx')).ResetPage),
  '/invitation': page('alone', async () => (await import('../pages/people/invitation.tsx')).InvitationPage),
  '/signed-in': page('alone', async () => (await import('../pages/people/sign-in.tsx')).SignedInPage),
  '/keys': page('frame', async () => (await import('../pages/keys/page.tsx')).KeysPage),
  '/keys/:keyId': page('frame', async () => (await import('../pages/keys/detail.tsx')).KeyPage),
  '/members': page('frame', async () => (await import('../pages/members/members.tsx')).MembersPage),
  '/audit': page('frame', async () => (await import('../pages/audit/audit.tsx')).AuditPage),
  '/settings': page('frame', async () => (await import('../pages/settings/settings.tsx')).SettingsPage),
  '/ops': {
    ...page('frame', async () => (await import('../pages/operations/operations.tsx')).OperationsPage),
    forOperators: true,
  },
  '/agent-workspaces': page(
    'frame',
    async () => (await import('../pages/workspaces/list.tsx')).WorkspacesPage,
  ),
  '/agent-workspaces/:workspaceId': page(
    'frame',
    async () => (await import('../pages/workspaces/detail.tsx')).WorkspacePage,
    WITH_ACTION,
  ),
  '/agent-workspaces/:workspaceId/imports': page(
    'frame',
    async () => (await import('../pages/imports/list.tsx')).ImportsPage,
    WITH_ACTION,
  ),
  '/agent-workspaces/:workspaceId/imports/upload': page(
    'frame',
    async () => (await import('../pages/imports/upload/upload.tsx')).UploadPage,
  ),
  '/agent-workspaces/:workspaceId/imports/:importId': page(
    'frame',
    async () => (await import('../pages/imports/detail.tsx')).ImportPage,
    { ...ONE_THING, lines: 3 },
  ),
  '/agent-workspaces/:workspaceId/schemas': page(
    'frame',
    async () => (await import('../pages/schemas/list.tsx')).SchemasPage,
  ),
  '/agent-workspaces/:workspaceId/schemas/:schemaId': page(
    'frame',
    async () => (await import('../pages/schemas/detail.tsx')).SchemaPage,
    ONE_THING,
  ),
  '/agent-workspaces/:workspaceId/checklists': page(
    'frame',
    async () => (await import('../pages/checklists/list.tsx')).ChecklistsPage,
  ),
  '/agent-workspaces/:workspaceId/checklists/:checklistId': page(
    'frame',
    async () => (await import('../pages/checklists/detail.tsx')).ChecklistPage,
    { ...ONE_THING, ...WITH_ACTION },
  ),
  '/agent-workspaces/:workspaceId/feedback': page(
    'frame',
    async () => (await import('../pages/feedback/page.tsx')).FeedbackPage,
  ),
  '/agent-workspaces/:workspaceId/checks': page(
    'frame',
    async () => (await import('../pages/checks/list.tsx')).ChecksPage,
    WITH_ACTION,
  ),
  '/agent-workspaces/:workspaceId/checks/:runId': page(
    'frame',
    async () => (await import('../pages/checks/detail.tsx')).RunPage,
    { ...ONE_THING, ...WITH_ACTION },
  ),
};

/** Every page by its address. The first that matches is shown. */
export const PAGES: readonly Page[] = PATHS.map((path) => ({ path, ...BY_PATH[path] }));

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
