import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';

/** An address of the console that leads nowhere, or to what is not the organization's. */
export function NotFoundPage() {
  return (
    <>
      <PageHead title="There is nothing here" />
      <p class="lede">
        The address is wrong, or what it names belongs to another organization.{' '}
        <PageLink to="/agent-workspaces">Go to the workspaces</PageLink>
      </p>
    </>
  );
}
