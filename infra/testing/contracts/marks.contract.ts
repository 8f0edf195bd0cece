import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Marks } from '../../../topics/ports/installation-marks.ts';
import { type EngineFixture, SUITE, unique } from './engine.fixture.ts';

export interface MarksFixture extends EngineFixture {
  readonly marks: Marks;
}

/** Describes the tests that all marks pass. */
export function describeMarksContract(name: string, open: () => Promise<MarksFixture>): void {
  describe(`${name}: marks`, SUITE, () => {
    let engine: MarksFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    it('keep the first value of a name, also over a restart', async () => {
      const mark = unique('mark');
      expect(await engine.marks.once(mark, 'first')).toBe('first');
      expect(await engine.marks.once(mark, 'second')).toBe('first');
      await engine.reopen?.();
      expect(await engine.marks.once(mark, 'third')).toBe('first');
      expect(await engine.marks.once(unique('mark'), 'other')).toBe('other');
    });

    it('give callers at the same time the same value', async () => {
      const mark = unique('mark');
      const values = await Promise.all(['a', 'b', 'c', 'd'].map((value) => engine.marks.once(mark, value)));
      expect(new Set(values).size).toBe(1);
    });
  });
}
