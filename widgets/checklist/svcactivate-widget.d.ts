/** The texts of the checklist widget. `{0}` and `{1}` are filled in. */
export interface SvcActivateLabels {
  /** The name of the region until the checklist's own name is known: "Getting started" */
  readonly region: string;
  /** "{0} of {1}" */
  readonly count: string;
  /** For screen readers, behind a completed step: "done" */
  readonly done: string;
  /** For screen readers, behind a step that is not completed: "open" */
  readonly todo: string;
  /** The link of a step: "Open" */
  readonly go: string;
  /** "All steps are done" */
  readonly complete: string;
  /** "Fold away" */
  readonly fold: string;
  /** "Dismiss" */
  readonly dismiss: string;
  /** "Progress cannot be read" */
  readonly unreachable: string;
  /** "Nothing is lost." */
  readonly harmless: string;
  /** "Try again" */
  readonly retry: string;
}

export interface SvcActivateOptions {
  /** A path of the page's own origin, which answers POST with a progress session, such as `/api/onboarding/session`. */
  readonly sessionPath: string;
  /** Texts that replace the English ones. */
  readonly labels?: Partial<SvcActivateLabels>;
  /** The texts of the steps' links by the keys of the steps; `go` of the labels if absent. */
  readonly links?: Readonly<Record<string, string>>;
  /** The level of the heading, 2 to 6; 3 by default. */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6;
  /** True if the user can take the checklist off the page. */
  readonly dismissible?: boolean;
  /**
   * Names the user, such as an opaque id. With it, this browser remembers a dismissal in its local storage, and a mount with the same
   * key shows nothing and asks for nothing. Without it, the widget stores nothing, and you keep a dismissal yourself.
   */
  readonly dismissalKey?: string;
  /** Called with the `detail` of `svcactivate:completed`. */
  readonly onCompleted?: (completed: SvcActivateCompleted) => void;
  /** Called when the user has dismissed the checklist. */
  readonly onDismissed?: () => void;
}

/** `detail` of the event `svcactivate:completed`: steps that were completed since the last reading. */
export interface SvcActivateCompleted {
  /** The keys of the steps. */
  readonly steps: readonly string[];
  /** True if these were the last ones. */
  readonly complete: boolean;
}

/** One mounted checklist. */
export interface SvcActivateMount {
  /**
   * Reads the progress now. Call it after the backend has finished a milestone. Resolves when there is an answer or a
   * failure, never rejects, and counts as one of the mount's 30 attempts.
   */
  refresh(): Promise<void>;
  /** Takes the checklist off the page and stops every request. */
  destroy(): void;
}

/** The one global name of the script. */
export interface SvcActivateWidget {
  /**
   * Shows the checklist of the signed-in user in an element. A second mount in the same element replaces the first.
   * Never throws: a wrong call is reported as an `error` event of the page.
   */
  mount(element: Element, options: SvcActivateOptions): SvcActivateMount;
}

declare global {
  var SvcActivate: SvcActivateWidget;

  interface GlobalEventHandlersEventMap {
    'svcactivate:completed': CustomEvent<SvcActivateCompleted>;
    'svcactivate:dismissed': CustomEvent<null>;
  }
}
