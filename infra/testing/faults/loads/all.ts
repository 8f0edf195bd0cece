import { randomUUID } from 'node:crypto';
import { findProgram } from '../../../../processors/checks/runner/program.ts';
import { type Customer, RunOverError, UnansweredError } from '../customer.ts';
import { credentialsLoad } from './credentials.ts';
import { feedbackLoad } from './feedback.ts';
import { importsLoad } from './imports.ts';
import { limiterLoad } from './limiter.ts';
import { bodyOf, type Load, type Owner, StoryEndedError } from './load.ts';
import { milestonesLoad } from './milestones.ts';

/** The loads on the service. A new product adds a line. */
export const LOADS: readonly Load[] = [
  credentialsLoad,
  feedbackLoad,
  importsLoad,
  limiterLoad,
  milestonesLoad,
];

/** True if this machine has a browser, which the load of checks needs. */
export function hasBrowser(): boolean {
  const chromium = process.env['SVC_CHROMIUM'] ?? null;
  return 'program' in findProgram({ chromium, sandbox: true, browsers: 1 });
}

/** Sets up a new service with the one-time link of its first owner. */
export async function setUp(customer: Customer, link: string): Promise<Owner> {
  const code = new URL(link).hash.slice(1);
  const json = { code, organization: 'Faults', email: 'owner@faults.example', password: randomUUID() };
  const name = 'set up';
  const told = await customer.intent({
    name,
    request: { method: 'POST', path: '/v1/console/set-up', json },
    status: 201,
    // It has no key, so that a second request would be refused.
    repeated: false,
    promises: () => [],
  });
  bodyOf(name, told);
  const cookie = told.kind === 'acknowledged' ? told.cookie : null;
  if (cookie === null) throw new Error('reading the session cookie of the set-up');
  // The name has the port of one gateway; each gateway takes the name without a port.
  return { cookie: cookie.replace(/_\d+=/, '=') };
}

/** Tells the story of a load again and again, each time as a new customer, until the run is over. */
export async function tellUntilOver(load: Load, newCustomer: () => Customer, owner: Owner): Promise<void> {
  for (;;) {
    try {
      await load.tell(newCustomer(), owner);
    } catch (error) {
      if (error instanceof RunOverError) return;
      // The history has it: the checker says whether it was in order.
      if (error instanceof StoryEndedError || error instanceof UnansweredError) continue;
      throw error;
    }
  }
}
