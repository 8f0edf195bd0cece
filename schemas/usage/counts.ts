import { z } from 'zod';

const callsSchema = z.int().nonnegative();

/** Calls of a key by their answers. Allowed and denied calls reached a counter, so they are metered. */
export const callCountsSchema = z
  .strictObject({
    allowed: callsSchema.meta({ description: 'Calls that were allowed.', example: 40 }),
    denied: callsSchema.meta({
      description: 'Calls that were denied by the limit of their identifier.',
      example: 2,
    }),
    refused: callsSchema.meta({
      description: 'Calls beyond the quota of the key. They reached no counter.',
      example: 0,
    }),
  })
  .meta({ id: 'KeyCalls', description: 'Calls of one hour.' });

export type CallCounts = z.infer<typeof callCountsSchema>;

export const NO_CALLS: CallCounts = { allowed: 0, denied: 0, refused: 0 };

export function addCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, (a, b) => a + b);
}

export function subtractCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, (a, b) => a - b);
}

/** The larger number of each kind. Counts of the same calls only grow, so it is the later count. */
export function largerCalls(left: CallCounts, right: CallCounts): CallCounts {
  return combine(left, right, Math.max);
}

/** The number of calls that reached a counter. Months count these calls, and live keys are metered by them. */
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
