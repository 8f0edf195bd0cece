import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { FAULTS, type FaultEngine, type FaultName } from './plan.ts';

const SEED_MAX = 2 ** 31 - 1;
const ROUNDS_MAX = 1_000;

/** The least number of faults of a run, and of a long one. */
const FAULTS_MIN = 20;
const LONG_FAULTS_MIN = 200;

const ENGINES = Object.keys(FAULTS) as FaultEngine[];

const settingsSchema = z.object({
  engine: z.enum(ENGINES).optional(),
  long: z.boolean().default(false),
  /** The seed of an earlier run repeats its plan. */
  seed: z.coerce.number().int().min(0).max(SEED_MAX).optional(),
  /** Injections of each fault. */
  rounds: z.coerce.number().int().min(1).max(ROUNDS_MAX).optional(),
  /** Only faults whose names contain one of these, between commas. */
  kinds: z.string().optional(),
});

/** The plan of a run on one engine. */
export interface RunSettings {
  readonly engine: FaultEngine;
  readonly seed: number;
  readonly rounds: number;
  readonly kinds: readonly FaultName[];
}

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options of the command line, or the variables `FAULT_ENGINE`, `FAULT_SEED`, `FAULT_ROUNDS` and `FAULT_KINDS` in their
 * place. Returns a run for each engine that has one of the faults.
 *
 * @throws {Error} that names each setting that is wrong.
 */
export function readRunSettings(
  options: Readonly<Record<string, string | boolean | undefined>>,
  variables: Texts = {},
): RunSettings[] {
  const names = ['engine', 'seed', 'rounds', 'kinds'];
  const settings = names.map((name) => [name, options[name] ?? variables[`FAULT_${name.toUpperCase()}`]]);
  const present = settings.filter(([, value]) => value !== undefined && value !== '');
  const parsed = settingsSchema.safeParse({ ...Object.fromEntries(present), long: options['long'] });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`reading the settings of the run: ${lines.join('; ')}`);
  }
  const { engine: only, long, seed = randomInt(SEED_MAX), rounds, kinds: parts = '' } = parsed.data;
  const runs = ENGINES.filter((engine) => only === undefined || engine === only).flatMap((engine) => {
    const kinds = FAULTS[engine].filter((fault) => parts.split(',').some((part) => fault.includes(part)));
    const least = Math.ceil((long ? LONG_FAULTS_MIN : FAULTS_MIN) / kinds.length);
    return kinds.length === 0 ? [] : [{ engine, seed, rounds: rounds ?? least, kinds }];
  });
  if (runs.length === 0) {
    const all = ENGINES.flatMap((engine) => FAULTS[engine]);
    throw new Error(`reading the settings of the run: kinds: none of ${all.join(', ')}`);
  }
  return runs;
}
