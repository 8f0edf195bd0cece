import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The story's words for `data/schema.json`. */
export interface Configuration {
  readonly allowedOrigins: readonly [string, ...string[]];
  readonly schema: { readonly fields: readonly { readonly key: string; readonly type: string }[] };
}

/** The path of a file in `data/`. */
export function dataFile(name: string): string {
  return join(import.meta.dirname, 'data', name);
}

/** The bytes of a file in `data/`. */
export function readDataFile(name: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(dataFile(name)));
}

export function readDataJson<T>(name: string): T {
  return JSON.parse(readFileSync(dataFile(name), 'utf8')) as T;
}

/** The same rows several times over under one header: as many rows of the same data as a test of size takes. */
export function repeatRows(bytes: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  const header = bytes.indexOf(LINE_FEED) + 1;
  const rows = bytes.subarray(header);
  const parts = [bytes.subarray(0, header), ...Array.from({ length: times }, () => rows)];
  return Uint8Array.from(Buffer.concat(parts));
}

const LINE_FEED = 0x0a;
