import type { ComponentChildren } from 'preact';
import { mayDecide, useMembership } from '../../../api/session.ts';
import { PageLink } from '../../../parts/frame/page-link.tsx';

interface UploadLinkProps {
  readonly workspaceId: string;
  /** The schema to import into; null leaves the choice to the page. */
  readonly schemaId: string | null;
  /** The import that waits for the file, if it can continue with it. */
  readonly importId?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The way to the upload of a file. Members, who may not, get the words alone. */
export function UploadLink({ workspaceId, schemaId, importId, class: className, children }: UploadLinkProps) {
  const { role } = useMembership();
  if (!mayDecide(role)) return <>{children}</>;
  const wanted = {
    ...(schemaId !== null && { schema: schemaId }),
    ...(importId !== undefined && { import: importId }),
  };
  const query = schemaId === null ? '' : `?${new URLSearchParams(wanted)}`;
  return (
    <PageLink
      {...(className !== undefined && { class: className })}
      to={`/agent-workspaces/${workspaceId}/imports/upload${query}`}
    >
      {children}
    </PageLink>
  );
}
