import type { ProcessSummary } from './summary.ts';

type Listed = Pick<ProcessSummary, 'state' | 'roles' | 'startedAt' | 'at'>;

/** Returns the processes that have gone, but those in whose place another one with the same roles was started. */
export function missedProcesses<Process extends Listed>(processes: readonly Process[]): Process[] {
  const next = processes.filter(({ state }) => state === 'up' || state === 'troubled');
  return processes.filter(({ state, roles, at }) => {
    if (state !== 'gone') return false;
    const index = next.findIndex((each) => each.roles.join() === roles.join() && each.startedAt > at);
    if (index !== -1) next.splice(index, 1);
    return index === -1;
  });
}
