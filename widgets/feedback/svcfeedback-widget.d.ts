/** The texts of the feedback widget. `{0}` and `{1}` are filled in. */
export interface SvcFeedbackLabels {
  /** The button on the page, and the title of the dialog: "Feedback" */
  readonly title: string;
  /** The label of the text field: "What went well, what did not?" */
  readonly question: string;
  /** The count of characters: "{0} of {1}. Sent without your name." */
  readonly count: string;
  /** The label of the rating: "How did it go?" */
  readonly rate: string;
  /** "Optional" */
  readonly optional: string;
  /** For screen readers, the rating 1: "Badly" */
  readonly rate1: string;
  /** "Not well" */
  readonly rate2: string;
  /** "So-so" */
  readonly rate3: string;
  /** "Well" */
  readonly rate4: string;
  /** "Very well" */
  readonly rate5: string;
  /** "Send" */
  readonly send: string;
  /** "Sending" */
  readonly sending: string;
  /** "Send again" */
  readonly again: string;
  /** "Close" */
  readonly close: string;
  /** "Received" */
  readonly received: string;
  /** "Thank you. A person reads it; there is no answer by e-mail." */
  readonly thanks: string;
  /** "Not sent." */
  readonly notSent: string;
  /** Without a text: "Write something first." */
  readonly empty: string;
  /** Without an answer: "The connection was lost. Your text is kept here." */
  readonly lost: string;
  /** After too many submissions in a minute: "Too much was sent from here. Wait a minute; your text is kept here." */
  readonly busy: string;
  /** If the page cannot send feedback now: "No feedback is taken at the moment. Your text is kept here." */
  readonly refused: string;
}

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
  start(options: SvcFeedbackOptions, tag: Element | null): void;
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
