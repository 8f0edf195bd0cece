import { z } from 'zod';
import { CommandFailure } from '../failure.ts';
import type { Project } from '../project.ts';

/** A service of an earlier version does not name it. */
const productSchema = z.object({ browser: z.string().optional() });

/**
 * Refuses to use up an origin, a suite or a run while no runner of the service has a browser.
 *
 * @throws {CommandFailure} `no_browser`
 */
export async function requireBrowser({ client }: Project): Promise<void> {
  const { browser } = await client.ask({ method: 'GET', path: '/v1/agent/svccheck', answer: productSchema });
  if (browser !== 'missing') return;
  throw new CommandFailure(
    'The service has no browser at the moment, so it cannot run browser checks. Nothing was created. Its operator can add one; try again later.',
    { code: 'no_browser', exit: 'network', next: ['svc', 'doctor'] },
  );
}
