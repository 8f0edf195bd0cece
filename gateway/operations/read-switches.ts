import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import {
  SWITCHES_ON,
  SWITCHES_ROW,
  type Switches,
  switchesSchema,
} from '../../schemas/organizations/switches.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { firstOrganizationId } from '../people/set-up-code.ts';
import type { GatewayServices } from '../services.ts';

/** Returns the operator's switches. All are on until an operator sets them. */
export async function readSwitches({
  store,
  secrets,
}: Pick<GatewayServices, 'store' | 'secrets'>): Promise<Switches> {
  const organization = { table: 'organizations', id: firstOrganizationId(secrets) } as const;
  const { row } = await readAggregate(store, organization, organizationDocumentSchema, [SWITCHES_ROW]);
  return row(SWITCHES_ROW.kind, SWITCHES_ROW.id, switchesSchema) ?? SWITCHES_ON;
}
