// What an event costs from HTTP to its durable outcome, and how fast a processor folds a backlog, on both engines:
// `npm run bench:events`. The cluster is the one of `npm run cluster -- up`.
import { runBenchmark } from './program.ts';
import { neutralRequests } from './requests.ts';

const BACKLOG_COMMANDS = 200_000;

await runBenchmark({
  scene: 'events',
  backlog: { embedded: BACKLOG_COMMANDS, cluster: BACKLOG_COMMANDS },
  bare: true,
  callers: () => ({ requests: async (what, aggregates) => neutralRequests(what, aggregates) }),
});
