import { z } from 'zod';
import { readStored } from '../../schemas/base/stored.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import {
  SWITCHES_ON,
  SWITCHES_ROW,
  type Switches,
  switchesSchema,
} from '../../schemas/organizations/switches.ts';
import { firstOrganizationId } from '../people/set-up-code.ts';
import type { GatewayServices, SwitchReader } from '../services.ts';

/** Time for which a gateway applies the switches that it has read. All public traffic would read one row otherwise. */
const KEPT_MS = SECOND_MS;

/**
 * Reads the operator's switches. All are on until an operator sets them.
 *
 * @throws {z.ZodError} if this release cannot read them
 */
export async function readSwitches({
  store,
  secrets,
}: Pick<GatewayServices, 'store' | 'secrets'>): Promise<Switches> {
  const organization = { table: 'organizations', id: firstOrganizationId(secrets) } as const;
  // Not the root: an organization that this release cannot read still has its switches.
  const { rows } = await store.read(organization, [SWITCHES_ROW]);
  const row = rows.find(({ kind }) => kind === SWITCHES_ROW.kind);
  return row === undefined ? SWITCHES_ON : readStored(switchesSchema, row.document);
}

interface Options extends Pick<GatewayServices, 'store' | 'secrets' | 'clock'> {
  readonly logger: { warn(members: object, event: string): void };
}

/** The operator's switches as a gateway applies them. While this release cannot read them, all are on. */
export class SwitchMemory implements SwitchReader {
  readonly #options: Options;
  #kept: { readonly until: number; readonly switches: Promise<Switches> } | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  read(): Promise<Switches> {
    const now = this.#options.clock.now();
    const kept = this.#kept;
    // A clock that was set back must not keep them for longer.
    if (kept !== null && now < kept.until && kept.until <= now + KEPT_MS) return kept.switches;
    const switches = this.readNow();
    const reading = { until: now + KEPT_MS, switches };
    this.#kept = reading;
    switches.catch(() => {
      if (this.#kept === reading) this.#kept = null;
    });
    return switches;
  }

  async readNow(): Promise<Switches> {
    try {
      return await readSwitches(this.#options);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      this.#options.logger.warn({ err: error }, 'SwitchesUnreadable');
      return SWITCHES_ON;
    }
  }

  forget(): void {
    this.#kept = null;
  }
}
