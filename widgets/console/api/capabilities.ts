import { queryOptions, useQuery } from '@tanstack/preact-query';
import { answer, api } from './client.ts';
import type { Schemas } from './interface.ts';

/** The addresses, products and files of the service. They change with a new version only. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: () => answer(api.GET('/v1/agent/capabilities')),
  staleTime: Number.POSITIVE_INFINITY,
});

export type Capabilities = Schemas['ServiceCapabilities'];

/** A script that pages load. */
export type Release = Schemas['Download'];

/** The products whose widget is a script for pages. */
export type WidgetProduct = 'svcfeedback' | 'svcactivate' | 'svcimport';

/** The latest release of a widget; null if the service was started without it. */
export function releaseOf(
  { downloads }: Pick<Capabilities, 'downloads'>,
  product: WidgetProduct,
): Release | null {
  const isRelease = ({ name }: Release) => name.startsWith(`${product}-widget-v`) && name.endsWith('.js');
  return downloads.findLast(isRelease) ?? null;
}

/** A number of a plan's limits; null while it is read, and if it cannot be read. */
export function usePlanLimit(product: string, plan: Schemas['Plan'], name: string): number | null {
  const { data } = useQuery(capabilitiesQuery);
  const limits = data?.products.find((each) => each.name === product)?.limits[plan];
  return limits?.[name] ?? null;
}
