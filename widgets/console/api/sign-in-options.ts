import { queryOptions } from '@tanstack/preact-query';
import { answer, api } from './client.ts';

/** The ways into this service: whether sign-up is open, whether there is single sign-on, how many attempts there are. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => answer(api.GET('/v1/console/sign-in')),
  staleTime: Number.POSITIVE_INFINITY,
});
