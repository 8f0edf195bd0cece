import type { PageFaults } from '../page-faults.ts';

/** The window of a usual laptop. */
export const VIEWPORT = { width: 1_280, height: 800 };

/** @throws {Error} if anything went wrong in a page: the time of a broken page says nothing */
export function checkFaults({ found }: PageFaults): void {
  if (found.length > 0) throw new Error(`measuring a page with faults:\n${found.join('\n')}`);
}
