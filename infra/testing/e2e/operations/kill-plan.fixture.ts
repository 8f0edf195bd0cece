import { seeded } from '../../seeded.fixture.ts';

/** The files of the journey, in their order. */
export const FILES = ['earthquakes', 'earthquakes-faulty', 'earthquakes-corrected'] as const;

export type FileName = (typeof FILES)[number];

const FILE_STEPS = ['reserve', 'upload', 'map', 'validate', 'finish'] as const;

type FileStep = `${(typeof FILE_STEPS)[number]} ${FileName}`;

const OTHER_STEPS = [
  'create',
  'configure',
  'set up',
  'open claim link',
  'attach',
  'sign in',
  'approve',
  'create capability',
  'pull',
  'acknowledge',
  'claim',
  'read errors',
  'sign out',
] as const;

/** A step of the customer. A kill can hit any of them. */
export type Step = (typeof OTHER_STEPS)[number] | FileStep;

const STEPS: readonly Step[] = [
  ...OTHER_STEPS,
  ...FILES.flatMap((file) => FILE_STEPS.map((step): FileStep => `${step} ${file}`)),
];

/** One moment at which the process is killed. */
export interface Kill {
  readonly step: Step;
  /** Milliseconds after the step has begun: inside of it, or in one of the next. */
  readonly afterMs: number;
  /** Milliseconds after its new start at which the process is killed once more, perhaps before it is ready; else null. */
  readonly againAfterMs: number | null;
}

/** Kills in all, those of a process that is just starting included. */
export const KILLS = 10;
const KILLS_OF_A_START = 2;

/** A request takes a few milliseconds, a validation or a start hundreds: delays are spread over all magnitudes alike. */
const DELAY_MS_MAX = 600;

/** Draws ten kills at different steps. The same seed draws the same ones. */
export function planKills(seed: number): readonly Kill[] {
  const random = seeded(seed);
  const delayMs = () => Math.round(DELAY_MS_MAX ** random());
  const steps = STEPS.map((step) => ({ step, at: random() })).sort((left, right) => left.at - right.at);
  return steps.slice(0, KILLS - KILLS_OF_A_START).map(({ step }, index) => ({
    step,
    afterMs: delayMs(),
    againAfterMs: index < KILLS_OF_A_START ? delayMs() : null,
  }));
}
