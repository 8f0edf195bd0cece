import { hasStatus } from '../../api/client.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';

interface UnreadableProps {
  readonly workspaceId: string;
  /** The part of the page's name: "checklist". */
  readonly what: 'checklist' | 'checklists';
  readonly error: Error;
  readonly onRetry: () => void;
}

/** True for what no retry brings back: the workspace was erased, or what the address names does not exist. */
export function isGone(error: Error | null): error is Error {
  return hasStatus(error, 404) || hasStatus(error, 410);
}

/** A page of checklists that cannot be shown: the workspace was erased, the address is wrong, or the service failed. */
export function Unreadable({ workspaceId, what, error, onRetry }: UnreadableProps) {
  const workspace = { label: 'Workspace', to: `/agent-workspaces/${workspaceId}` };
  const crumbs = [{ label: 'Workspaces', to: '/agent-workspaces' }];
  if (hasStatus(error, 410)) {
    return (
      <>
        <PageHead title="This workspace was erased" crumbs={crumbs} />
        <p class="lede">
          Its checklists and their counts are gone. The audit log has who erased it and when.{' '}
          <PageLink to="/agent-workspaces">Go to the workspaces</PageLink>
        </p>
      </>
    );
  }
  if (hasStatus(error, 404)) {
    return (
      <>
        <PageHead title={`There is no such ${what === 'checklist' ? what : 'workspace'}`} crumbs={crumbs} />
        <p class="lede">
          The address is wrong, or it belongs to another organization or workspace.{' '}
          <PageLink to={what === 'checklist' ? workspace.to : '/agent-workspaces'}>
            {what === 'checklist' ? 'Go to the workspace' : 'Go to the workspaces'}
          </PageLink>
        </p>
      </>
    );
  }
  const title = what === 'checklist' ? 'Checklist' : 'Checklists';
  return (
    <>
      <PageHead title={title} crumbs={[...crumbs, workspace]} />
      <ProblemPanel
        error={error}
        title={`The ${what} could not be read`}
        {...(hasStatus(error, 409) ? {} : { onRetry })}
      />
    </>
  );
}
