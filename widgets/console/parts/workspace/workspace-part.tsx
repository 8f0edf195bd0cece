import type { ComponentChildren } from 'preact';
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
  children,
  ...head
}: WorkspacePartProps) {
  const workspace = useWorkspaceCrumb(workspaceId);
  return (
    <>
      {skips}
      <PageHead
        {...head}
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
