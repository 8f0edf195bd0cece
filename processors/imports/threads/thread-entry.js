// Starts thread.ts in a worker thread. It is JavaScript, and turns on the compile cache of the process, which threads do not share:
// where all modules come from there, Node does not load its compiler of types, which takes 11 MB in each thread.
import { enableCompileCache, flushCompileCache } from 'node:module';

const folder = process.env.NODE_COMPILE_CACHE;
if (folder !== undefined) enableCompileCache(folder);
export const { split, validate } = await import('./thread.ts');
flushCompileCache();
