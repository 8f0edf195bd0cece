import type { CHECK_LABELS } from './check/check-labels.ts';
import type { ERROR_LABELS } from './check/error-labels.ts';
import type { COLUMN_LABELS } from './columns/column-labels.ts';
import type { ASK_LABELS } from './fix/ask-labels.ts';
import type { FILE_LABELS, STEP_LABELS } from './labels.ts';

/**
 * The names of the texts of the import widget. Those that end in `One` take the place of the one before them if the number is 1. In
 * `explained`, `{0}` is the name of an error of a row, `{1}` the service's English words about it; `{0}` alone leaves them out.
 */
export type SvcImportLabel = keyof typeof STEP_LABELS | keyof typeof ERROR_LABELS;

/** The names of the texts about fields, and about what was changed before the file was sent. */
export type SvcImportColumnLabel = keyof typeof COLUMN_LABELS;

/** The names of the texts with which values are read and corrected before the file is sent. */
export type SvcImportCheckLabel = keyof typeof CHECK_LABELS;

/** The names of the texts with which a file is corrected before it is sent. */
export type SvcImportFixLabel = keyof typeof FILE_LABELS | keyof typeof ASK_LABELS;

export interface SvcImportOptions {
  /** The element that gets the widget. */
  readonly host: Element;
  /** From the session that your backend has minted. */
  readonly workspaceId: string;
  readonly schemaId: string;
  /** `svc_import_…`. It is kept in memory only. */
  readonly sessionToken: string;
  readonly ingestOrigin: string;
  /** The largest file, in bytes: the session's `maxBytes` or less. */
  readonly maxBytes: number;
  /** Texts that replace the English ones. */
  readonly labels?: Partial<
    Record<SvcImportLabel | SvcImportColumnLabel | SvcImportCheckLabel | SvcImportFixLabel, string>
  >;
  /** The level of the widget's heading, 2 to 6; 3 by default. */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6;
  /**
   * Mints another session when this one has ended. The widget continues with the file that was sent, as a new import. Without this
   * function, the user is asked to load the page again. If it rejects, the user can try again.
   */
  readonly renewSession?: () => Promise<{ readonly sessionToken: string }>;
  /**
   * False lets the user leave the page in the middle of an import without a question. By default the browser asks between the upload and
   * the end, because an import that was sent is charged and a new session does not have it.
   */
  readonly confirmLeave?: boolean;
  /**
   * False loses a file that was not sent with the page. By default the browser keeps the file, the choices and the corrections until the
   * end of the import, a day at most, encrypted with a key that only the tab has.
   */
  readonly keepFile?: boolean;
  /** Called at each end, behind the event `svcimport:end` of `host`. */
  readonly onEnd?: (end: SvcImportEnd) => void;
}

/** The end of an import or of the session: the `detail` of `svcimport:end`. */
export interface SvcImportEnd {
  /** `ready`: valid, and your team approves it. `failed`: refused as a whole, or no longer there. */
  readonly kind: 'approved' | 'ready' | 'failed' | 'cancelled' | 'session-ended';
  /** Null for the end of a session. */
  readonly importId: string | null;
}

/** One mounted import. */
export interface SvcImportMount {
  /** Takes the widget off the page and stops every request. An import that was sent stays. */
  destroy(): void;
}

/** The one global name of the script. */
export interface SvcImportWidget {
  /**
   * Lets the user import one file after the other. A second mount in the same element replaces the first. Never throws: a
   * wrong call is reported as an `error` event of the page.
   */
  mount(options: SvcImportOptions): SvcImportMount;
}

declare global {
  var SvcImport: SvcImportWidget;
}
