// The entry of the process. Node keeps the compiled modules of a first start for the later ones; it has to be told before any
// of them is imported.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
await import('./service/process.ts');
