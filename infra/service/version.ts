import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ version: z.string() });

/** Returns the version of the service, as `package.json` has it. */
export function readVersion(): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8');
  return manifestSchema.parse(JSON.parse(text)).version;
}
