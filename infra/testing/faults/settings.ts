import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { FAULTS, type FaultName } from './plan.ts';

const SEED_MAX = 2 ** 31 - 1;
const ROUNDS_MAX = 1_000;

const variablesSchema = z.object({
  /** The seed of an earlier run repeats its plan. */
  FAULT_SEED: z.coerce.number().int().min(0).max(SEED_MAX).optional(),
  /** Injections of each fault. */
  FAULT_ROUNDS: z.coerce.number().int().min(1).max(ROUNDS_MAX).default(1),
  /** Only faults whose names contain one of these, between commas. */
  FAULT_KINDS: z.string().optional(),
});

export interface RunSettings {
  readonly seed: number;
  readonly rounds: number;
  readonly kinds: readonly FaultName[];
}

/** @throws {Error} that names each variable that is wrong. */
export function readRunSettings(variables: Readonly<Record<string, string | undefined>>): RunSettings {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = variablesSchema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`reading the variables of the run: ${lines.join('; ')}`);
  }
  const { FAULT_SEED: seed = randomInt(SEED_MAX), FAULT_ROUNDS: rounds, FAULT_KINDS: parts } = parsed.data;
  const kinds =
    parts === undefined
      ? FAULTS
      : FAULTS.filter((fault) => parts.split(',').some((part) => fault.includes(part)));
  if (kinds.length === 0)
    throw new Error(`reading the variables of the run: FAULT_KINDS: none of ${FAULTS.join(', ')}`);
  return { seed, rounds, kinds };
}
