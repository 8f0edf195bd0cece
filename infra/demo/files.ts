import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file as it lies in `data/`. */
export interface DataFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Configuration {
  readonly allowedOrigins: readonly [string, ...string[]];
  readonly schema: { readonly fields: readonly { readonly key: string; readonly type: string }[] };
}

export function readDataFile(name: string): DataFile {
  return { name, bytes: Uint8Array.from(readFileSync(join(import.meta.dirname, 'data', name))) };
}

export function readDataJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'data', name), 'utf8')) as T;
}
