import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { workspaceQuery } from '../../api/workspace.ts';
import { WORKSPACE_PAGES } from '../frame/resources.ts';
import { Tabs } from '../frame/tabs.tsx';

/** The parts of one workspace: its overview, and a tab for each thing that its products hold. */
export function WorkspaceTabs({ workspaceId }: { readonly workspaceId: string }) {
  const { data } = useQuery(workspaceQuery(workspaceId));
  const [address] = useLocation();
  const root = `/agent-workspaces/${workspaceId}`;
  const pages = WORKSPACE_PAGES.filter(
    ({ product }) => product === null || data === undefined || data.products.includes(product),
  );
  return (
    <Tabs
      label="Workspace"
      tabs={[
        { to: root, label: 'Overview' },
        ...pages.map(({ folder, label, count }) => {
          const to = `${root}/${folder}`;
          const isCurrent = address === to || address.startsWith(`${to}/`);
          return { to, label, isCurrent, count: data?.inventory[count] ?? null };
        }),
      ]}
    />
  );
}
