import type { LegacyDecoder } from './decode.ts';
import type { PreviewedRows, PreviewLine } from './preview.ts';

/** The limits of the service for one file, and the wishes of the page that sends it. */
export interface Limits {
  readonly rows: number;
  readonly columns: number;
  /** The places of the columns that stay first if there are too many; without it, the first ones. */
  readonly wanted?: (names: readonly string[]) => ReadonlySet<number>;
  /** The name of a column without one: `{0}` is its number. `Column {0}` by default. */
  readonly columnName?: string;
  /** Makes the preview, where one is shown. */
  readonly previewOf?: (rows: PreviewedRows) => Generator<void, PreviewLine[]>;
  /** Decodes files that are not Unicode. */
  readonly decodeLegacy?: LegacyDecoder;
}
