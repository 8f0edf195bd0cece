import { useQuery } from '@tanstack/preact-query';
import { type Capabilities, capabilitiesQuery } from './capabilities.ts';

/**
 * The address of a host for commands that a person copies. The console's own address stands for it while it is read: on most
 * services, one host has everything. A variable stands for it where it cannot be read.
 */
export function useHost(name: keyof Capabilities['hosts']): string {
  const { data, error } = useQuery(capabilitiesQuery);
  if (error !== null && data === undefined) return `$${name.toUpperCase()}_URL`;
  return data?.hosts[name] ?? location.origin;
}
