import { Component, type ComponentChildren } from 'preact';
import { isAway } from '../parts/loading/away.ts';
import { Shape } from '../parts/table/state.tsx';
import { isUnloaded, reload } from './load-page.ts';

interface PageBoundaryProps {
  readonly children: ComponentChildren;
}

interface PageBoundaryState {
  readonly error: unknown;
  /** True once the person has asked for the code of this page again. */
  readonly isRepeated: boolean;
}

/**
 * Shows a page whose code could not be loaded, or that has failed, as a notice. The frame around it stays. The code is asked for
 * again as soon as the service, or the network of the browser, is back.
 */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: null, isRepeated: false };
  #stop: () => void = () => undefined;

  static override getDerivedStateFromError(error: unknown): Partial<PageBoundaryState> {
    return { error };
  }

  override componentDidMount(): void {
    const loadAgain = () => {
      if (isUnloaded(this.state.error)) this.setState({ error: null });
    };
    const stop = isAway.listen((away) => {
      if (!away) loadAgain();
    });
    addEventListener('online', loadAgain);
    this.#stop = () => {
      stop();
      removeEventListener('online', loadAgain);
    };
  }

  override componentWillUnmount(): void {
    this.#stop();
  }

  override componentDidCatch(error: unknown): void {
    // A fault of the program belongs into the browser's console, as if it were not caught here.
    if (!isUnloaded(error)) reportError(error);
  }

  override render({ children }: PageBoundaryProps, { error, isRepeated }: PageBoundaryState) {
    if (error === null) return children;
    const isCode = isUnloaded(error);
    const loadAgain = () => {
      // Some browsers do not load a failed script a second time.
      if (isCode && !isRepeated) this.setState({ error: null, isRepeated: true });
      else void reload();
    };
    return <PageNotice isUnloaded={isCode} onLoad={loadAgain} />;
  }
}

interface PageNoticeProps {
  readonly isUnloaded: boolean;
  readonly onLoad: () => void;
}

function PageNotice({ isUnloaded: unloaded, onLoad }: PageNoticeProps) {
  return (
    <div class="notice bad" role="alert">
      <Shape tone="bad" />
      <div>
        <strong>{unloaded ? 'This page could not be loaded' : 'This page has failed'}</strong>
        {unloaded ? 'The service did not answer.' : 'The fault is ours. Nothing that was saved is lost.'}
        <p>
          <button type="button" class="btn small" onClick={onLoad}>
            Load it again
          </button>
        </p>
      </div>
    </div>
  );
}
