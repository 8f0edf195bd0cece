import { hasStatus } from '../../api/client.ts';
import { PageHead } from '../frame/page-head.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { type FailedQuery, ProblemPanel, ReadProblem } from './problem-panel.tsx';

/** The thing that a page is about, in words. */
interface Subject {
  /** "Checklist": the heading where the service failed. */
  readonly title: string;
  /** "checklist". */
  readonly name: string;
  /** True for a page about all of them, which is missing only with its workspace. */
  readonly isList: boolean;
  /** "Its checklists and their counts are gone.": the effect of the workspace's erasure. */
  readonly erased: string;
}

interface UnreadableProps {
  readonly workspaceId: string;
  readonly what: Subject;
  readonly query: FailedQuery;
}

/** True for what no retry brings back: the workspace was erased, or what the address names does not exist. */
export function isGone(error: Error | null): error is Error {
  return hasStatus(error, 404) || hasStatus(error, 410);
}

/** A page in a workspace that cannot be shown: the workspace was erased, the address is wrong, or the service failed. */
export function Unreadable({ workspaceId, what, query }: UnreadableProps) {
  const { error } = query;
  if (error === null) return null;
  const { title, name, isList, erased } = what;
  const workspace = { label: 'Workspace', to: `/agent-workspaces/${workspaceId}` };
  const crumbs = [{ label: 'Workspaces', to: '/agent-workspaces' }];
  if (hasStatus(error, 410)) {
    return (
      <>
        <PageHead title="This workspace was erased" crumbs={crumbs} />
        <p class="lede">
          {erased} The audit log has who erased it and when.{' '}
          <PageLink to="/agent-workspaces">Go to the workspaces</PageLink>
        </p>
      </>
    );
  }
  if (hasStatus(error, 404)) {
    return (
      <>
        <PageHead title={`There is no such ${isList ? 'workspace' : name}`} crumbs={crumbs} />
        <p class="lede">
          The address is wrong, or it belongs to another organization or workspace.{' '}
          <PageLink to={isList ? '/agent-workspaces' : workspace.to}>
            {isList ? 'Go to the workspaces' : 'Go to the workspace'}
          </PageLink>
        </p>
      </>
    );
  }
  const failed = `The ${name} could not be read`;
  return (
    <>
      <PageHead title={title} crumbs={[...crumbs, workspace]} />
      {hasStatus(error, 409) ? (
        <ProblemPanel error={error} title={failed} />
      ) : (
        <ReadProblem query={query} title={failed} />
      )}
    </>
  );
}
