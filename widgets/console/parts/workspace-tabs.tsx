import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { workspaceQuery } from '../api/workspace.ts';
import { Tabs } from './tabs.tsx';

/** The parts of one workspace: its overview, and a tab for each thing that its products hold. */
export function WorkspaceTabs({ workspaceId }: { readonly workspaceId: string }) {
  const { data } = useQuery(workspaceQuery(workspaceId));
  const [address] = useLocation();
  const root = `/agent-workspaces/${workspaceId}`;
  const inventory = data?.inventory;
  const tab = (path: string, label: string, count: number | null = null) => {
    const to = `${root}/${path}`;
    const isCurrent = address === to || address.startsWith(`${to}/`);
    return { to, label, isCurrent, count };
  };
  const has = (product: string) => data === undefined || data.products.some((held) => held === product);
  return (
    <Tabs
      label="Workspace"
      tabs={[
        { to: root, label: 'Overview' },
        ...(has('svcimport')
          ? [
              tab('imports', 'Imports', inventory?.imports),
              tab('schemas', 'Schemas', inventory?.importSchemas),
            ]
          : []),
        ...(has('svcactivate') ? [tab('checklists', 'Checklists', inventory?.checklists)] : []),
        tab('feedback', 'Feedback', inventory?.feedbackSubmissions),
        tab('checks', 'Checks', inventory?.checkRuns),
      ]}
    />
  );
}
