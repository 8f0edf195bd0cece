import { expect } from 'vitest';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { CheckCustomer } from '../e2e/checks/checks-customer.fixture.ts';
import { RUN_LIMITS } from '../faults/stage.ts';
import { MadeBefore } from './products.fixture.ts';
import { CURRENT_SOURCES } from './release.fixture.ts';

/** A customer of a service on lasting data, which is started from other sources with {@link exchange}. */
export interface Exchangeable {
  readonly customer: CheckCustomer<ServiceProcess>;
  readonly exchange: (next: string) => Promise<void>;
}

/** Starts a service from sources. */
export async function exchangeable(
  first: string,
  environment: Readonly<Record<string, string>>,
): Promise<Exchangeable> {
  let sources = first;
  const customer = await CheckCustomer.with(
    (options) =>
      ServiceProcess.start({
        ...options,
        limits: RUN_LIMITS,
        environment: { ...options.environment, ...environment },
        sources: () => sources,
      }),
    {},
  );
  const exchange = async (next: string) => {
    sources = next;
    // A start that was refused has left nothing to stop.
    if (customer.service.exitCode === null) expect(await customer.service.stop()).toBe(0);
    await customer.service.restart();
  };
  return { customer, exchange };
}

/**
 * Expects that the latest release works on data which these sources have made with every product, or refuses to start and leaves it
 * as it is.
 *
 * @param refusal what the release says if it refuses; null: it has to work
 */
export async function expectWayBack(
  { customer, exchange }: Exchangeable,
  released: string,
  refusal: string | null,
): Promise<void> {
  const made = await MadeBefore.by(customer);
  if (refusal === null) await exchange(released);
  else {
    await expect(exchange(released)).rejects.toThrow(refusal);
    await exchange(CURRENT_SOURCES);
  }
  await made.expectUsable();
}
