import type { LABELS } from './labels.ts';

/**
 * The texts of the feedback widget. `{0}` and `{1}` are filled in. `title` is the button on the page and the title of the dialog. Screen
 * readers read `rate1` to `rate5`. `empty` is for no text, `long` for too much, `lost` for no answer, `busy` for too many submissions in a minute, and
 * `refused` for a page that cannot send feedback now.
 */
export type SvcFeedbackLabels = Readonly<typeof LABELS>;

export interface SvcFeedbackOptions {
  /** The widget, as it was created: `wid_…` */
  readonly widgetId: string;
  /** The origin that takes the feedback, as in the address of the loader: `https://ingest.example` */
  readonly ingestOrigin: string;
  /** The element that gets the button. Absent: the button floats in the lower corner of the page. */
  readonly target?: Element | null;
  /** Texts that replace the English ones. */
  readonly labels?: Partial<SvcFeedbackLabels>;
  /** The level of the dialog's heading, 2 to 6; 3 by default. */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6;
  /** Called with the `detail` of `svcfeedback:received`. */
  readonly onReceived?: (received: SvcFeedbackReceived) => void;
}

/** A mounted widget. */
export interface SvcFeedbackMount {
  /** Opens the dialog. */
  open(): void;
  /** Takes the widget off the page, with the text that a visitor has begun. */
  destroy(): void;
}

/** The one global name of the script. */
export interface SvcFeedbackWidget {
  /**
   * Shows the button of a widget. A widget is on a page once: a second call returns the first mount. Never throws: a wrong call is
   * reported as an `error` event of the page.
   */
  mount(options: SvcFeedbackOptions): SvcFeedbackMount;
  /** For the loader: mounts a widget with the `data-target` and `data-labels` of its tag. */
  start(options: SvcFeedbackOptions, tag: HTMLElement | SVGElement | null): void;
}

/** `detail` of the event `svcfeedback:received`, which the widget's element dispatches once the service has stored a submission. */
export interface SvcFeedbackReceived {
  readonly submissionId: string;
}

declare global {
  var SvcFeedback: SvcFeedbackWidget;

  interface GlobalEventHandlersEventMap {
    'svcfeedback:received': CustomEvent<SvcFeedbackReceived>;
  }
}
