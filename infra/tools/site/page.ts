/** One page of the site, before it becomes HTML. */
export interface Page {
  /** Behind `/docs/`; empty for the first page. */
  readonly path: string;
  /** With a heading of the first level. Links lead to `/docs/…`, or to a file relative to {@link source}. */
  readonly markdown: string;
  /** The file that it was made from, relative to the repository; absent for a page of the API. */
  readonly source?: string;
  /** The group of operations that it is one of. */
  readonly group: string | null;
}

/** The address of a page. */
export function addressOf(path: string): string {
  return path === '' ? '/docs' : `/docs/${path}`;
}

/** The title of a page: its first heading, as plain text. */
export function titleOf({ markdown }: Pick<Page, 'markdown'>): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll(/[`*]/g, '') ?? 'svc';
}
