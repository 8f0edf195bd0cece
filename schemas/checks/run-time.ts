/** Opening the browser profile of a run. */
export const CONTEXT_MS = 10_000;
/** Opening the page of a flow. */
export const PAGE_OPEN_MS = 5_000;
/** A browser that does not answer counts as hanging after this, beyond the time of the flow. */
export const HANGING_MS = 1_000;
/** Reading what a page shows in place of what a step looks for. */
export const EXPLANATION_MS = 2_000;
/** Closing the page of a flow, or the profile of a run. */
export const PAGE_CLOSE_MS = 2_000;
/** Taking the one picture of a run. */
export const PICTURE_MS = 3_000;
/** From the end of the browser's work to its report in the log. */
const REPORT_MS = 5_000;

/** The longest time that a browser works for a run beside the time of its flows, in milliseconds. */
export function driveOverheadMs(flows: number): number {
  const onceMs = CONTEXT_MS + EXPLANATION_MS + PICTURE_MS + PAGE_CLOSE_MS;
  return onceMs + flows * (PAGE_OPEN_MS + HANGING_MS + PAGE_CLOSE_MS);
}

/** The longest time from the beginning of a run to its report beside the time of its flows, in milliseconds. */
export function runOverheadMs(flows: number): number {
  return driveOverheadMs(flows) + REPORT_MS;
}
