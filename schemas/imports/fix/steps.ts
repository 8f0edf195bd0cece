import { RECORD_BYTES_MAX } from '../../csv/limits.ts';

/** Characters between two looks at the clock. */
export const STEP_CHARACTERS: number = 32 * 1_024;

/** Characters of a line that is repaired or changed: the service takes no longer record. */
export const LINE_CHARACTERS_MAX: number = RECORD_BYTES_MAX;

/** Characters of a row. A file with a longer one is read no further, because each step looks at whole rows. */
export const ROW_CHARACTERS_MAX: number = 4 * LINE_CHARACTERS_MAX;
