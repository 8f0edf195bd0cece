import { PageHead } from '../parts/frame/page-head.tsx';
import { PageLink } from '../parts/frame/page-link.tsx';
import { openPalette } from './palette.tsx';

/** An address of the console that leads nowhere, or to a resource of another organization. */
export function NotFoundPage() {
  return (
    <>
      <PageHead title="There is nothing here" />
      <div class="stack">
        <p>The address is wrong, or the page belongs to another organization.</p>
        <div class="row">
          <PageLink class="btn primary" to="/agent-workspaces">
            Go to the workspaces
          </PageLink>
          <button type="button" class="btn" onClick={openPalette}>
            Search
          </button>
          <button type="button" class="btn quiet" onClick={() => history.back()}>
            Go back
          </button>
        </div>
      </div>
    </>
  );
}
