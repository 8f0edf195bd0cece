// Measures milestones of onboarding checklists.
import { runBenchmark } from '../events/program.ts';
import { Customers } from './customers.ts';

await runBenchmark({
  scene: 'activate',
  about:
    'Measures a milestone of an onboarding checklist from HTTP to its answer, and how fast a backlog of them is folded',
  backlog: { embedded: 200_000, cluster: 500_000 },
  callers: (port) => new Customers(port),
});
