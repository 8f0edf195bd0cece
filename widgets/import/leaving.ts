/** Asks before the page is left while only this page knows of an import that was charged. The browser words the question. */
export class LeaveGuard {
  readonly #isWanted: boolean;

  constructor(isWanted: boolean) {
    this.#isWanted = isWanted;
  }

  /** Begins to ask, or ends it. A page with such a listener is not kept for the way back in some browsers, so it is not there longer. */
  set(isAsking: boolean): void {
    if (isAsking && this.#isWanted) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // Browsers before 2024 ask for this.
  event.returnValue = true;
}
