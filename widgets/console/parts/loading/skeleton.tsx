import { PageHead } from '../frame/page-head.tsx';

/**
 * The shape of a page while its code or its data load. It appears after 150 ms, so that a quick page does not flash. The document,
 * `index.html`, has the same elements until the script is there.
 */
export function PageSkeleton() {
  return (
    <div class="page skeleton" aria-busy="true">
      <PageHead title={null} />
      <div class="bone panel" />
    </div>
  );
}

/** The shape of a panel while its data load. */
export function PanelSkeleton() {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="vh">Loading</span>
      <div class="bone panel" />
    </div>
  );
}

/** Rows of a table in their final height while they load. */
export function RowsSkeleton({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  return (
    <tbody class="skeleton" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: columns }, (_, column) => (
            <td key={column}>
              <div class="bone" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
