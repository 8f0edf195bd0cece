import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../fixtures/', import.meta.url);

/** The bytes of one fixture file, named without its extension. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`${name}.csv`, FOLDER));
}

/** Every fixture's name. */
export function fixtureNames(): string[] {
  return readdirSync(FOLDER).map((file) => file.replace(/\.csv$/, ''));
}
