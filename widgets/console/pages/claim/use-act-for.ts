import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { tellOtherTabs } from '../../api/session-tabs.ts';
import { useChange } from '../../api/use-change.ts';

/** Returns what makes the session act for another organization of the person, in every tab. The page stays. */
export function useActFor() {
  const queries = useQueryClient();
  return useChange({
    send: (organizationId: string) => answer(api.POST('/v1/console/session', { body: { organizationId } })),
    afterLoss: 'repeat',
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      tellOtherTabs('began');
    },
  });
}
