import type { ComponentChildren } from 'preact';
import { mayDecide, useMembership } from '../../api/session.ts';
import { type Crumb, PageHead, type PageHeadProps } from '../frame/page-head.tsx';
import { PanelSkeleton } from '../loading/skeleton.tsx';
import { useWorkspaceCrumb } from './workspace-crumb.ts';
import { WorkspaceTabs } from './workspace-tabs.tsx';

interface WorkspacePartProps extends Omit<PageHeadProps, 'crumbs'> {
  readonly workspaceId: string;
  /** True for the page of the workspace itself. */
  readonly isOverview?: boolean;
  /** The list that the page belongs to. */
  readonly list?: Crumb;
  /** Links above the head. */
  readonly skips?: ComponentChildren;
  /** Null while it loads: the head and the tabs stay meanwhile. */
  readonly children: ComponentChildren;
}

/** A page in a workspace: the head, the tabs, and below them the sections of the page. */
export function WorkspacePart({
  workspaceId,
  isOverview = false,
  list,
  skips,
  actions,
  children,
  ...head
}: WorkspacePartProps) {
  const workspace = useWorkspaceCrumb(workspaceId);
  const { role } = useMembership();
  // Most actions are for those who decide; others await none.
  const shown = actions === null && !mayDecide(role) ? undefined : actions;
  return (
    <>
      {skips}
      <PageHead
        {...head}
        actions={shown}
        crumbs={[
          { label: 'Workspaces', to: '/agent-workspaces' },
          ...(isOverview ? [] : [workspace]),
          ...(list === undefined ? [] : [list]),
        ]}
      />
      <WorkspaceTabs workspaceId={workspaceId} />
      <div class="stack">{children ?? <PanelSkeleton />}</div>
    </>
  );
}
