// Preloaded (`node --import`) into a process that must not outlive the one that started it, however that one ends.
import { isMainThread } from 'node:worker_threads';

const POLL_INTERVAL_MS = 500;

if (isMainThread) {
  const parent = process.ppid;
  // A process whose parent has ended is given another one.
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS);
  watch.unref();
}
