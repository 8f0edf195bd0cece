import { readdirSync, readFileSync } from 'node:fs';

/** A process and all processes that it has started, and these, and so on; Linux only, elsewhere none. */
export function descendantsOf(pid: number): readonly number[] {
  const found = [pid];
  for (const parent of found) found.push(...childrenOf(parent));
  return found;
}

/** The children of a process, which each belong to the thread that has started them (proc(5)). */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.split(' ').map(Number).filter(Boolean));
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
