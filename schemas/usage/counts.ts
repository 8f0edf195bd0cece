import { z } from 'zod';

const callsSchema = z.int().nonnegative();

/** Calls of a key by what became of them. Only the first two reached a counter: they are what is metered. */
export const callCountsSchema = z.strictObject({
  allowed: callsSchema,
  denied: callsSchema,
  /** Beyond the key's own quota. */
  refused: callsSchema,
});

export type CallCounts = z.infer<typeof callCountsSchema>;

export const NO_CALLS: CallCounts = { allowed: 0, denied: 0, refused: 0 };

export function addCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, (a, b) => a + b);
}

export function subtractCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, (a, b) => a - b);
}

/** The larger of each: of two counts of the same calls, which only grow, the later one. */
export function largerCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, Math.max);
}

/** Calls that reached a counter: what the month counts and live keys are metered by. */
export function meteredCalls({ allowed, denied }: CallCounts): number {
  return allowed + denied;
}

function combine(
  left: CallCounts,
  right: CallCounts,
  operation: (left: number, right: number) => number,
): CallCounts {
  return {
    allowed: operation(left.allowed, right.allowed),
    denied: operation(left.denied, right.denied),
    refused: operation(left.refused, right.refused),
  };
}
