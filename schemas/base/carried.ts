import { z } from 'zod';
import { type Outcome, outcomeSchema } from './outcome.ts';

/**
 * The result of a command that carries others: an outcome for each, in their order. A number stands for the outcome in the
 * place of this number, so that a refusal of many is there once. Null: the outcome is stored under the key of the carried command.
 */
export const carriedResultSchema = z.strictObject({
  results: z.array(z.union([outcomeSchema, z.int().nonnegative(), z.null()])),
});

export type CarriedResult = z.infer<typeof carriedResultSchema>;

/** Returns the result of the command that carried these. */
export function carriedResult(outcomes: readonly (Outcome | null)[]): CarriedResult {
  const places = new Map<string, number>();
  const results = outcomes.map((outcome, place) => {
    if (outcome?.kind !== 'refused') return outcome;
    const name = JSON.stringify(outcome.refusal);
    const first = places.get(name);
    if (first === undefined) places.set(name, place);
    return first ?? outcome;
  });
  return { results };
}

/** Returns the outcome of each carried command; null where it is stored under its key. */
export function carriedOutcomes({ results }: CarriedResult): (Outcome | null)[] {
  return results.map((result) => (typeof result === 'number' ? outcomeAt(results, result) : result));
}

function outcomeAt(results: CarriedResult['results'], place: number): Outcome {
  const outcome = results[place];
  if (typeof outcome !== 'object' || outcome === null) throw new Error('reading an outcome of another place');
  return outcome;
}
