import { answering } from './answer-again.ts';
import { leavingNothing } from './erasure.ts';
import type { AnyFold } from './fold.ts';

/** A product's fold as processors run it: it answers again, and keeps nothing in aggregates that were erased. */
export function runtimeFold(fold: AnyFold): AnyFold {
  return leavingNothing(answering(fold));
}
