import type { Schemas } from '../../api/interface.ts';
import type { Suite } from './queries.ts';
import { ACTION_WORDS, stepWords } from './step-words.ts';

type FlowResult = Schemas['CheckFlowResult'];
type StepResult = FlowResult['steps'][number];

/** One line of a flow: what the suite asks for, and what the run saw. */
export interface StepLine {
  readonly asked: string;
  /** Null before the run has ended, and for a step that was skipped. */
  readonly seen: string | null;
  readonly status: StepResult['status'] | null;
  readonly durationMs: number;
  /** The milliseconds of the flow before this step. */
  readonly startMs: number;
}

/** A flow of a run. */
export interface FlowLines {
  readonly name: string;
  readonly durationMs: number | null;
  readonly lines: readonly StepLine[];
}

/** The flows of a run: those of its suite, with the results where there are some. A suite that cannot be read leaves the results. */
export function flowLines(results: readonly FlowResult[], suite: Suite | undefined): FlowLines[] {
  if (results.length === 0) {
    return (suite?.flows ?? []).map(({ name, steps }) => ({
      name,
      durationMs: null,
      lines: steps.map((step) => ({
        asked: stepWords(step),
        seen: null,
        status: null,
        durationMs: 0,
        startMs: 0,
      })),
    }));
  }
  return results.map(({ name, durationMs, steps }) => {
    const planned = suite?.flows.find((flow) => flow.name === name)?.steps;
    let startMs = 0;
    const lines = steps.map((step, at): StepLine => {
      const plan = planned?.[at];
      const line = {
        asked: plan === undefined ? ACTION_WORDS[step.action] : stepWords(plan),
        seen: step.status === 'skipped' ? null : step.message,
        status: step.status,
        durationMs: step.durationMs,
        startMs,
      };
      startMs += step.durationMs;
      return line;
    });
    return { name, durationMs, lines };
  });
}
