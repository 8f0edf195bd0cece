import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { NO_CHOICES } from './findings.ts';
import { ended, LIMITS, readByService } from './fixed.fixture.ts';
import { anyRightFile, filledRows } from './right-files.fixture.ts';

/** `FIX_SEED=7` draws other files, and `FIX_FILES=10000` that many. */
const SEED = Number(process.env['FIX_SEED'] ?? 1);
const FILES = Number(process.env['FIX_FILES'] ?? 500);

/** The least share of random files that are read without a question. Otherwise, the test below would show nothing. */
const READ_SHARE_MIN = 0.3;

/** True if the service refuses a row, since it has another number of fields than the header. */
function isRefused(rows: ReturnType<typeof readByService>): boolean {
  return typeof rows !== 'string' && rows.some((cells) => cells !== null && cells.length !== rows[0]?.length);
}

describe('a right file without a decision', () => {
  it('arrives with each record, name, cell and letter, or is refused with a question', () => {
    let read = 0;
    fc.assert(
      fc.property(anyRightFile, ({ table, bytes }) => {
        const examination = ended(examine(bytes, NO_CHOICES, LIMITS));
        if (examination === null || examination.refusal !== null) {
          expect(examination?.corrected ?? null).toBeNull();
          return;
        }
        const rows = readByService(examination.corrected ?? bytes);
        if (isRefused(rows)) return;
        read += 1;
        expect(filledRows(rows)).toEqual(filledRows(table));
      }),
      { seed: SEED, numRuns: FILES },
    );
    expect(read).toBeGreaterThan(READ_SHARE_MIN * FILES);
  });
});
