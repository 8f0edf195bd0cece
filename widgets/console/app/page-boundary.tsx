import { Component, type ComponentChildren } from 'preact';
import { Shape } from '../parts/state.tsx';

interface PageBoundaryProps {
  readonly children: ComponentChildren;
}

interface PageBoundaryState {
  readonly error: unknown;
}

/** Shows a page whose code could not be loaded, or that has failed, as a notice. The frame around it stays. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: null };

  static override getDerivedStateFromError(error: unknown): PageBoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    // A fault of the program belongs into the browser's console, as if it were not caught here.
    if (!isUnloaded(error)) reportError(error);
  }

  override render({ children }: PageBoundaryProps, { error }: PageBoundaryState) {
    return error === null ? children : <PageNotice isUnloaded={isUnloaded(error)} />;
  }
}

/** True for the error of an import whose file did not arrive. */
function isUnloaded(error: unknown): boolean {
  return error instanceof TypeError && /import|module/i.test(error.message);
}

function PageNotice({ isUnloaded: unloaded }: { readonly isUnloaded: boolean }) {
  return (
    <div class="notice bad" role="alert">
      <Shape tone="bad" />
      <div>
        <strong>{unloaded ? 'This page could not be loaded' : 'This page has failed'}</strong>
        {unloaded ? 'The service did not answer.' : 'The fault is ours. Nothing that was saved is lost.'}
        <p>
          <button type="button" class="btn small" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      </div>
    </div>
  );
}
