import { answering } from './answer-again.ts';
import { confirming } from './delivery.ts';
import { leavingNothing } from './erasure.ts';
import type { AnyFold } from './fold.ts';
import { forgetting } from './forgetting.ts';

/** A product's fold as processors run it: it answers again, forgets, confirms
 * deliveries, and keeps nothing in aggregates that were erased. */
export function runtimeFold(fold: AnyFold): AnyFold {
  return leavingNothing(confirming(forgetting(answering(fold))));
}
