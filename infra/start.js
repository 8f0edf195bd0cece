// Starts infra/main.ts. It is JavaScript, and turns on the compile cache: where all modules come from there, Node does not load its
// compiler of types, which takes 20 MB and a tenth of the start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
await import('./main.ts');
