import { type CommandLineAgent, ToolRefusal } from './command-line-agent.ts';
import type { Stage } from './stage.ts';

/** The heading of the application's page before anybody has signed in. */
const HEADING = 'Sign in to Harbor';

/**
 * The agent proves the origin of the application, and has its page checked in a real browser. On a machine without one the step
 * says so, and the story continues.
 */
export async function checkPage({ screen, example }: Stage, agent: CommandLineAgent): Promise<void> {
  const originId = await screen.step('agent', 'proves the origin of a page', async () => {
    const named = await agent.nameOrigin(example.url).catch(unlessNoBrowser);
    if (named instanceof ToolRefusal) {
      screen.leaveOut();
      return [`not run: ${named.message}`, null];
    }
    example.publish(named.challenge);
    const { state } = await agent.confirmOrigin(named.originId);
    if (state !== 'verified') throw new Error(`the origin is ${state} instead of verified`);
    return [`${example.url}, by a file that it serves`, named.originId];
  });
  if (originId === null) return;
  const run = await screen.step('agent', 'checks its page in a browser', async () => {
    const suiteId = await agent.createSuite(originId, `${example.url}/`, HEADING);
    const ended = await agent.runSuite(suiteId);
    if (ended.failure?.reason === 'internal') {
      screen.leaveOut();
      return [`not run: ${ended.failure.message}`, null];
    }
    if (!ended.verified) throw new Error(`the run is ${ended.status}: ${ended.failure?.message}`);
    return [`verified in ${ended.flows[0]?.durationMs} ms, as a visitor sees it`, ended];
  });
  if (run === null) return;
  const steps = run.flows.flatMap((flow) => flow.steps);
  screen.table(
    ['Step', 'Took', 'Result'],
    steps.map(({ action, durationMs, message }) => [action, `${durationMs} ms`, message]),
  );
}

/** Returns the refusal of a service without a browser, so that the step can say it. */
function unlessNoBrowser(error: unknown): ToolRefusal {
  if (error instanceof ToolRefusal && error.code === 'no_browser') return error;
  throw error;
}
