// What a milestone of an onboarding checklist costs from HTTP to its answer, and how fast a backlog of them is folded, on
// both engines: `npm run bench:activate`. The cluster is the one of `npm run cluster -- up`.
import { runBenchmark } from '../events/program.ts';
import { Customers } from './customers.ts';

await runBenchmark({
  scene: 'activate',
  backlog: { embedded: 200_000, cluster: 500_000 },
  bare: false,
  callers: (port) => new Customers(port),
});
