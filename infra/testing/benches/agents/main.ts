// Measures the time of an agent to its first accepted event.
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Followed, followCommands, followJson } from '../../e2e/workspaces/agent-discovery.fixture.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';
import { retryUnavailable, unavailableAnswers } from '../unavailable.ts';

const HELP = `
npm run bench:agents -- OPTIONS

Measures how long an agent that knows only the base address takes to its first accepted event, by the requests and by the commands
that it reads there. It fails if one takes 3 seconds. The command-line tool repeats a command after a 503, which counts as time.

`;

/** The longest time to the first accepted event, in milliseconds. */
const FIRST_EVENT_MS_MAX = 3_000;

const MANY = 1_000;
const LIMITS = {
  workspace: { createdPerAddressHour: MANY, createdPerAddressDay: MANY },
  http: { managementPerMinute: MANY },
};

const { quick } = readBenchOptions(HELP, {});
const RUNS = quick ? 1 : 20;

const service = await ServiceProcess.start({ limits: LIMITS, environment: { LOG_LEVEL: 'warn' } });
const requests = await timesOf(followJson);
const commands = await timesOf(followCommands);
await service.dispose();
report({
  bench: 'agents',
  ours: {
    requestsMedianMs: percentile(requests, 0.5),
    requestsSlowestMs: percentile(requests, 1),
    commandsMedianMs: percentile(commands, 0.5),
    commandsSlowestMs: percentile(commands, 1),
    'answers-with-503': unavailableAnswers(),
  },
  ratios: {},
});
process.exitCode = quick || percentile([...requests, ...commands], 1) < FIRST_EVENT_MS_MAX ? 0 : 1;

/** The milliseconds of each run. */
async function timesOf(follow: (base: string) => Promise<Followed>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { tookMs, calls, members } = await retryUnavailable(() => follow(service.url));
    if (members['outcome'] !== 'completed') throw new Error('measuring agents: the event was not accepted');
    if (run === 0) say(`${follow.name}: ${calls} calls`);
    times.push(tookMs);
  }
  return times;
}
