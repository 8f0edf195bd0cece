import { queryOptions } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { unreadableIn } from '../../parts/table/unreadable-entries.tsx';

/** The workspace behind a claim link, for this organization. Looking uses nothing up. */
export function claimQuery(code: string, organizationId: string) {
  return queryOptions({
    // The key holds no code, because tools show keys. A tab has one claim at a time.
    queryKey: ['claim', organizationId],
    queryFn: async () => {
      const [inspection, details] = await Promise.all([
        answer(api.POST('/v1/console/claims/inspect', { body: { code } })),
        answer(api.POST('/v1/console/claims/details', { body: { code } })),
      ]);
      return { ...inspection, ...details, unreadable: unreadableIn([inspection, details]) };
    },
    gcTime: 0,
  });
}
