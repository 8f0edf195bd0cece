import { type QueryClient, useQueryClient } from '@tanstack/preact-query';
import { navigate } from 'wouter-preact/use-browser-location';
import { answer, api } from '../api/client.ts';
import { type Session, sessionQuery, useMembership, useSession } from '../api/session.ts';
import { tellOtherTabs } from '../api/session-tabs.ts';
import { useChange } from '../api/use-change.ts';
import { askBeforeLoss } from '../parts/form/shown-once.tsx';
import { toast } from '../parts/frame/toast.tsx';

/** Shows the organization that a session acts for. Nothing of the one before stays, except secrets that are not stored yet. */
export function showOrganization(queries: QueryClient, session: Session): void {
  navigate('/agent-workspaces');
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  queries.setQueryData(sessionQuery.queryKey, session);
}

/** The other organizations of the person, and what shows one. Other tabs follow: a session acts for one at a time. */
export function useSwitchOrganization() {
  const { organizations, organizationId: current } = useSession();
  const { name } = useMembership();
  const queries = useQueryClient();
  const change = useChange({
    send: (organizationId: string) => answer(api.POST('/v1/console/session', { body: { organizationId } })),
    onSuccess: (session) => {
      tellOtherTabs('began');
      showOrganization(queries, session);
    },
    afterLoss: 'repeat',
    onError: () => {
      toast(`${name} is still shown. Choose the organization again.`);
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return {
    others: organizations.filter(({ organizationId }) => organizationId !== current),
    show: (organizationId: string) => {
      if (organizationId !== current) askBeforeLoss(() => change.mutate(organizationId));
    },
  };
}
