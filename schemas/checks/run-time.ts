import { SECOND_MS } from '../base/time.ts';

/** The time in which a browser opens the context of a run. */
const OPENING_MS = 10 * SECOND_MS;
/** The time beside its steps in which a flow opens its page, takes its picture and closes. */
const FLOW_OVERHEAD_MS = 8 * SECOND_MS;
/** The time in which a browser closes the context of a run. */
const CLOSING_MS = 10 * SECOND_MS;

/** Milliseconds that a browser may take for a run beside the times of its flows. */
export function runOverheadMs(flowCount: number): number {
  return OPENING_MS + flowCount * FLOW_OVERHEAD_MS + CLOSING_MS;
}
