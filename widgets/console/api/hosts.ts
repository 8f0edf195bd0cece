import { queryOptions, useQuery } from '@tanstack/preact-query';
import { answer, api } from './client.ts';
import type { Schemas } from './interface.ts';

type Hosts = Schemas['ServiceHosts'];

/** The addresses of the service. They change with a new version only. */
const hostsQuery = queryOptions({
  queryKey: ['hosts'],
  queryFn: async () => (await answer(api.GET('/v1/agent/capabilities'))).hosts,
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * The address of a host for commands that a person copies. The console's own address stands for it while it is read: on most
 * services, one host has everything. A variable stands for it where it cannot be read.
 */
export function useHost(name: keyof Hosts): string {
  const { data, error } = useQuery(hostsQuery);
  if (error !== null && data === undefined) return `$${name.toUpperCase()}_URL`;
  return data?.[name] ?? location.origin;
}
