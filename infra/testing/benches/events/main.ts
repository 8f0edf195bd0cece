// Measures events of no product.
import { runBenchmark } from './program.ts';
import { neutralRequests } from './requests.ts';

const BACKLOG_COMMANDS = 200_000;

await runBenchmark({
  scene: 'events',
  about:
    'Measures an event of no product from HTTP to its durable outcome, and how fast a processor folds a backlog of them',
  backlog: { embedded: BACKLOG_COMMANDS, cluster: BACKLOG_COMMANDS },
  callers: () => ({ requests: async (what, aggregates) => neutralRequests(what, aggregates) }),
});
