import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { requireBrowser } from './browser.ts';
import { CHECK_VERSION } from './version.ts';

/** Every plan allows it. */
const FLOW_TIMEOUT_MS = 30_000;
/** A name of a suite, which is the heading here. */
const NAME_CHARACTERS_MAX = 80;

/** The output of `check create`. */
export const suiteOutput = z.object({
  suiteId: z.string(),
  originId: z.string(),
  name: z.string(),
  createdAt: z.string(),
});

/** Creates a suite of one page and one heading. */
export async function createSuite(context: CommandContext, options: Options): Promise<Outcome> {
  const project = openProject(context, ['svc', 'help', 'check', 'create']);
  await requireBrowser(project);
  const { post } = project;
  const originId = options.text('origin-id');
  const [url, heading] = [options.text('url'), options.text('heading')];
  const name = [...heading.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')]
    .slice(0, NAME_CHARACTERS_MAX)
    .join('');
  const steps = [
    { action: 'goto', url },
    { action: 'expect_heading', text: heading },
  ];
  const suite = await post('/svccheck/suites', suiteOutput, {
    schemaVersion: CHECK_VERSION,
    idempotencyKey: `cli-${digestOf(['check create', originId, url, heading])}`,
    originId,
    name,
    flows: [{ name, steps, timeoutMs: FLOW_TIMEOUT_MS }],
  });
  const { suiteId } = suite;
  return {
    data: suite,
    blocks: [facts(['suite', suiteId], ['name', suite.name])],
    next: ['svc', 'check', 'run', '--suite', suiteId, '--idempotency-key', 'first', '--wait'],
  };
}
