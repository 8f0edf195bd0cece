import type { JsonObject } from '../../schemas/base/json.ts';
import type { Outcome } from '../command.ts';
import type { Next } from '../failure.ts';
import { line, table } from './blocks.ts';

interface Listing {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The command that helps to make the first one. */
  readonly first: Next;
}

/** Lays out a list. An empty one says so, and names the command that leads on. */
export function listing(data: JsonObject, { head, rows, first }: Listing): Outcome {
  if (rows.length > 0) return { data, blocks: [table(head, rows)] };
  return { data, blocks: [line('There is none yet.')], next: first };
}
