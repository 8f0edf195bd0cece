import { describe, expect, it } from 'vitest';
import {
  CONTEXT_MS,
  driveOverheadMs,
  EXPLANATION_MS,
  HANGING_MS,
  PAGE_CLOSE_MS,
  PAGE_OPEN_MS,
  PICTURE_MS,
  runOverheadMs,
} from './run-time.ts';

describe('driveOverheadMs', () => {
  it('adds up the parts of a run: those of each flow, and each other one once', () => {
    const once = CONTEXT_MS + EXPLANATION_MS + PICTURE_MS + PAGE_CLOSE_MS;
    expect(driveOverheadMs(1)).toBe(once + PAGE_OPEN_MS + HANGING_MS + PAGE_CLOSE_MS);
    expect(driveOverheadMs(5) - driveOverheadMs(1)).toBe(4 * (PAGE_OPEN_MS + HANGING_MS + PAGE_CLOSE_MS));
  });
});

describe('runOverheadMs', () => {
  it('leaves time for the report after the last moment of the browser', () => {
    for (const flows of [1, 5, 20]) expect(runOverheadMs(flows)).toBeGreaterThan(driveOverheadMs(flows));
  });
});
